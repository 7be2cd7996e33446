"""Ten calls of newspaper4k; the import is the only line that was changed."""

from pathlib import Path

from bonmun.compat import newspaper

page = (Path(__file__).parent / "pages" / "en-harbour.html").read_text(encoding="utf-8")
config = newspaper.Config()
config.request_timeout = 10
article = newspaper.Article("https://tidewater.example/news/2026/05/harbour-bath", language="en", config=config)
article.download(input_html=page)  # without input_html it is fetched
article.parse()
article.nlp()

print(article.title, "|", *article.authors, "|", article.publish_date, "|", article.meta_lang)
print(article.text)
print(article.top_image, article.images, article.movies, article.canonical_link)
print(", ".join(article.keywords[:5]))
print(article.summary)
print(article.download_state.name, article.is_parsed, newspaper.fulltext(page) == article.text)
