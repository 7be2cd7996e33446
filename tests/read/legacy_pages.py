"""Small pages in many languages, with their legacy encodings and common wrong labels."""

# (title, paragraph), each written for these tests.
SENTENCES = {
    "ko": (
        "서울 지하철, 내년부터 새벽까지 운행 늘린다",
        "서울시는 시민들의 이동 편의를 높이기 위해 내년 3월부터 지하철 운행 시간을 새벽 2시까지 연장한다고 밝혔다. "
        "늦은 시간 귀가하는 직장인과 학생들이 가장 큰 혜택을 볼 것으로 보인다.",
    ),
    "zh": (
        "北京今年将新增三条地铁线路，方便市民出行",
        "记者从市政府获悉，今年北京将有三条新的地铁线路投入使用，届时城市轨道交通总里程将超过八百公里。"
        "专家认为，这对缓解交通拥堵、改善空气质量都有重要的意义。",
    ),
    "zht": (
        "台北捷運明年將延長服務時間，市民表示歡迎",
        "台北市政府今天宣布，從明年三月開始，捷運將在週末延長服務到凌晨兩點。"
        "許多經常加班的上班族認為，這個決定對他們的生活有很大的幫助，也能減少開車的人數。",
    ),
    "ja": (
        "東京の地下鉄、来年から深夜まで運転を延長へ",
        "東京都は、利用者の利便性を高めるため、来年三月から地下鉄の運転時間を午前二時まで延長すると発表した。"
        "帰りが遅くなる会社員や学生にとって、大きな助けになりそうだ。",
    ),
    "ru": (
        "Московское метро продлит время работы по выходным",
        "Власти города сообщили, что с марта следующего года метро будет работать до двух часов ночи. "
        "По мнению экспертов, это поможет жителям, которые поздно возвращаются домой с работы.",
    ),
    "uk": (
        "Київське метро продовжить час роботи у вихідні",
        "Міська влада повідомила, що з березня наступного року метро працюватиме до другої години ночі. "
        "На думку фахівців, це допоможе мешканцям, які пізно повертаються додому з роботи.",
    ),
    "bg": (
        "Софийското метро ще работи по-дълго през почивните дни",
        "Общината съобщи, че от март догодина влаковете ще се движат до два часа през нощта. "
        "Според специалистите това ще помогне на хората, които се прибират късно от работа.",
    ),
    "el": (
        "Το μετρό της Αθήνας θα λειτουργεί ως αργά τη νύχτα",
        "Ο δήμος ανακοίνωσε ότι από τον επόμενο Μάρτιο τα τρένα θα κυκλοφορούν έως τις δύο τα ξημερώματα. "
        "Σύμφωνα με τους ειδικούς, αυτό θα βοηθήσει όσους επιστρέφουν αργά από την εργασία τους. Άλλοι διαφωνούν.",
    ),
    "pl": (
        "Warszawskie metro będzie jeździć dłużej w weekendy",
        "Władze miasta ogłosiły, że od marca przyszłego roku pociągi będą kursować do drugiej w nocy. "
        "Zdaniem ekspertów ułatwi to życie osobom, które późno wracają z pracy, i zmniejszy ruch na ulicach.",
    ),
    "cs": (
        "Pražské metro bude o víkendech jezdit déle do noci",
        "Vedení města oznámilo, že od března příštího roku budou vlaky jezdit až do dvou hodin ráno. "
        "Podle odborníků to pomůže lidem, kteří se pozdě večer vracejí z práce, a uleví přetíženým ulicím.",
    ),
    "hu": (
        "Hétvégén tovább közlekedik majd a budapesti metró",
        "A főváros bejelentette, hogy jövő márciustól a szerelvények éjjel két óráig járnak. "
        "A szakértők szerint ez segít azoknak, akik későn érnek haza a munkából, és csökkenti a zsúfoltságot.",
    ),
    "fr": (
        "Le métro parisien circulera plus tard le week-end",
        "La ville a annoncé que les rames rouleront jusqu’à deux heures du matin à partir de mars prochain. "
        "D’après les spécialistes, cela aidera ceux qui rentrent très tard et allégera la circulation là où elle gêne.",
    ),
    "de": (
        "Berliner U-Bahn fährt künftig länger in die Nacht",
        "Die Stadt kündigte an, dass die Züge ab März nächsten Jahres bis zwei Uhr früh verkehren. "
        "Fachleute glauben, dass das vielen hilft, die spät nach Hause müssen, und die Straßen spürbar entlastet.",
    ),
    "es": (
        "El metro de Madrid ampliará su horario nocturno",
        "El ayuntamiento anunció que los trenes circularán hasta las dos de la mañana a partir del próximo año. "
        "Según los técnicos, la decisión ayudará a quienes vuelven tarde del trabajo; ¿será así también en verano?",
    ),
    "sv": (
        "Tunnelbanan i Stockholm går längre på helgnätter",
        "Staden meddelade att tågen ska gå till klockan två på natten från och med mars nästa år. "
        "Enligt sakkunniga hjälper det många som åker hem sent, och det blir färre bilar på gatorna.",
    ),
    "da": (
        "Metroen i København kører længere om natten næste år",
        "Kommunen oplyser, at togene fra marts også kører mellem klokken to og fem i weekenden. "
        "Ifølge fagfolk gør det livet lettere for dem, der først får fri sent på aftenen, og gaderne bliver stille.",
    ),
    "tr": (
        "İstanbul metrosu hafta sonları daha geç saate kadar çalışacak",
        "Belediye, gelecek yılın mart ayından itibaren trenlerin gece ikiye kadar işleyeceğini açıkladı. "
        "Uzmanlara göre bu karar, işten geç dönenlerin hayatını kolaylaştıracak ve şehirdeki trafiği azaltacak.",
    ),
    "he": (
        "הרכבת הקלה בירושלים תפעל עד שעה מאוחרת יותר",
        "העירייה הודיעה כי החל מחודש מרץ בשנה הבאה יפעלו הרכבות עד שתיים לפנות בוקר. "
        "לדברי המומחים, ההחלטה תסייע לתושבים החוזרים מאוחר מן העבודה ותקל על העומס בכבישים.",
    ),
    "ar": (
        "مترو القاهرة يعمل حتى ساعة متأخرة من الليل في العام المقبل",
        "أعلنت المدينة أن القطارات ستعمل حتى الساعة الثانية صباحا ابتداء من شهر مارس المقبل. "
        "ويرى الخبراء أن القرار سيساعد الذين يعودون من العمل في وقت متأخر، وسيخفف الزحام في الشوارع.",
    ),
    "lt": (
        "Vilniaus autobusai savaitgaliais važinės ilgiau",
        "Savivaldybė pranešė, kad nuo kitų metų kovo mėnesio autobusai važiuos iki antros valandos nakties. "
        "Specialistų nuomone, tai padės žmonėms, kurie vėlai grįžta iš darbo, ir sumažins spūstis gatvėse.",
    ),
    "lv": (
        "Rīgas tramvaji brīvdienās kursēs ilgāk",
        "Pašvaldība paziņoja, ka no nākamā gada marta tramvaji kursēs līdz diviem naktī. "
        "Pēc speciālistu domām, tas palīdzēs cilvēkiem, kuri vēlu atgriežas mājās, un mazinās sastrēgumus ielās.",
    ),
    "th": (
        "รถไฟฟ้ากรุงเทพจะขยายเวลาให้บริการในวันหยุด",
        "ผู้ว่าราชการประกาศว่าตั้งแต่เดือนมีนาคมปีหน้า รถไฟฟ้าจะให้บริการถึงเวลาตีสอง "
        "ผู้เชี่ยวชาญเห็นว่าการตัดสินใจนี้จะช่วยคนที่เลิกงานดึก และทำให้การจราจรดีขึ้น",
    ),
}
# language, the codec that writes the page, the name we give the encoding
LEGACY = [
    ("ko", "cp949", "euc-kr"),
    ("ko", "euc_kr", "euc-kr"),
    ("zh", "gb18030", "gb18030"),
    ("zh", "gbk", "gb18030"),
    ("zht", "big5", "big5"),
    ("zht", "cp950", "big5"),
    ("ja", "cp932", "shift_jis"),
    ("ja", "euc_jp", "euc-jp"),
    ("ja", "iso2022_jp", "iso-2022-jp"),
    ("ru", "cp1251", "windows-1251"),
    ("ru", "koi8_r", "koi8-r"),
    ("ru", "iso8859_5", "iso-8859-5"),
    ("ru", "cp866", "ibm866"),
    ("uk", "cp1251", "windows-1251"),
    ("uk", "koi8_u", "koi8-u"),
    ("bg", "cp1251", "windows-1251"),
    ("el", "cp1253", "windows-1253"),
    ("el", "iso8859_7", "iso-8859-7"),
    ("pl", "cp1250", "windows-1250"),
    ("pl", "iso8859_2", "iso-8859-2"),
    ("cs", "cp1250", "windows-1250"),
    ("hu", "cp1250", "windows-1250"),
    ("fr", "cp1252", "windows-1252"),
    ("de", "cp1252", "windows-1252"),
    ("es", "cp1252", "windows-1252"),
    ("sv", "cp1252", "windows-1252"),
    ("da", "cp1252", "windows-1252"),
    ("tr", "cp1254", "windows-1254"),
    ("he", "cp1255", "windows-1255"),
    ("ar", "cp1256", "windows-1256"),
    ("lt", "cp1257", "windows-1257"),
    ("lv", "cp1257", "windows-1257"),
    ("th", "cp874", "windows-874"),
]
# What a server or an author writes without looking. UTF-8 and latin-1 are the common lies, the others real but rare.
LIES = ["utf-8", "iso-8859-1", "euc-kr", "gb2312", "shift_jis", "windows-1251"]


def page(language: str, declared: str = "", *, copies: int = 1) -> str:
    title, paragraph = SENTENCES[language]
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={declared}">' if declared else ""
    menu = '<ul class="menu"><li><a href="/news">NEWS</a></li><li><a href="/login">Login</a></li></ul>'
    body = "".join(f'<p class="text" id="p{n}">{paragraph}</p>\n' for n in range(copies))
    head = f"<!DOCTYPE html><html><head>{meta}<title>{title}</title></head>"
    return f"{head}<body>{menu}<h1>{title}</h1>{body}</body></html>"
