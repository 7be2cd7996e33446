/* Made by tools/make_core_tables.py. Do not edit. */
#ifndef BONMUN_TAGS_TABLE_H
#define BONMUN_TAGS_TABLE_H

/* The numbers of bonmun/model/tags.py; TAG_COUNT is the first number of a name that HTML does not know. */
enum {
    TAG_TEXT, TAG_HTML, TAG_HEAD, TAG_BODY, TAG_TITLE, TAG_BASE, TAG_LINK, TAG_META, TAG_STYLE, TAG_SCRIPT,
    TAG_NOSCRIPT, TAG_TEMPLATE, TAG_ARTICLE, TAG_SECTION, TAG_NAV, TAG_ASIDE, TAG_H1, TAG_H2, TAG_H3, TAG_H4, TAG_H5,
    TAG_H6, TAG_HGROUP, TAG_HEADER, TAG_FOOTER, TAG_ADDRESS, TAG_MAIN, TAG_SEARCH, TAG_P, TAG_HR, TAG_PRE,
    TAG_BLOCKQUOTE, TAG_OL, TAG_UL, TAG_MENU, TAG_LI, TAG_DL, TAG_DT, TAG_DD, TAG_FIGURE, TAG_FIGCAPTION, TAG_DIV,
    TAG_A, TAG_EM, TAG_STRONG, TAG_SMALL, TAG_S, TAG_CITE, TAG_Q, TAG_DFN, TAG_ABBR, TAG_RUBY, TAG_RT, TAG_RP, TAG_DATA,
    TAG_TIME, TAG_CODE, TAG_VAR, TAG_SAMP, TAG_KBD, TAG_SUB, TAG_SUP, TAG_I, TAG_B, TAG_U, TAG_MARK, TAG_BDI, TAG_BDO,
    TAG_SPAN, TAG_BR, TAG_WBR, TAG_INS, TAG_DEL, TAG_PICTURE, TAG_SOURCE, TAG_IMG, TAG_IFRAME, TAG_EMBED, TAG_OBJECT,
    TAG_PARAM, TAG_VIDEO, TAG_AUDIO, TAG_TRACK, TAG_MAP, TAG_AREA, TAG_SVG, TAG_MATH, TAG_TABLE, TAG_CAPTION,
    TAG_COLGROUP, TAG_COL, TAG_TBODY, TAG_THEAD, TAG_TFOOT, TAG_TR, TAG_TD, TAG_TH, TAG_FORM, TAG_LABEL, TAG_INPUT,
    TAG_BUTTON, TAG_SELECT, TAG_DATALIST, TAG_OPTGROUP, TAG_OPTION, TAG_TEXTAREA, TAG_OUTPUT, TAG_PROGRESS, TAG_METER,
    TAG_FIELDSET, TAG_LEGEND, TAG_DETAILS, TAG_SUMMARY, TAG_DIALOG, TAG_SLOT, TAG_CANVAS, TAG_ACRONYM, TAG_APPLET,
    TAG_BASEFONT, TAG_BGSOUND, TAG_BIG, TAG_BLINK, TAG_CENTER, TAG_DIR, TAG_FONT, TAG_FRAME, TAG_FRAMESET, TAG_IMAGE,
    TAG_ISINDEX, TAG_KEYGEN, TAG_LISTING, TAG_MARQUEE, TAG_MENUITEM, TAG_MULTICOL, TAG_NEXTID, TAG_NOBR, TAG_NOEMBED,
    TAG_NOFRAMES, TAG_PLAINTEXT, TAG_RB, TAG_RTC, TAG_SPACER, TAG_STRIKE, TAG_TT, TAG_XMP, TAG_HYPERTEXT,
    TAG_FENCEDFRAME, TAG_SELECTEDCONTENT, TAG_DESC, TAG_FOREIGNOBJECT, TAG_MI, TAG_MO, TAG_MN, TAG_MS, TAG_MTEXT,
    TAG_MGLYPH, TAG_MALIGNMARK, TAG_ANNOTATION_XML, TAG_COUNT
};

static const char *const tag_names[] = {
    "#text", "html", "head", "body", "title", "base", "link", "meta", "style", "script", "noscript", "template",
    "article", "section", "nav", "aside", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "header", "footer", "address",
    "main", "search", "p", "hr", "pre", "blockquote", "ol", "ul", "menu", "li", "dl", "dt", "dd", "figure",
    "figcaption", "div", "a", "em", "strong", "small", "s", "cite", "q", "dfn", "abbr", "ruby", "rt", "rp", "data",
    "time", "code", "var", "samp", "kbd", "sub", "sup", "i", "b", "u", "mark", "bdi", "bdo", "span", "br", "wbr", "ins",
    "del", "picture", "source", "img", "iframe", "embed", "object", "param", "video", "audio", "track", "map", "area",
    "svg", "math", "table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th", "form", "label",
    "input", "button", "select", "datalist", "optgroup", "option", "textarea", "output", "progress", "meter",
    "fieldset", "legend", "details", "summary", "dialog", "slot", "canvas", "acronym", "applet", "basefont", "bgsound",
    "big", "blink", "center", "dir", "font", "frame", "frameset", "image", "isindex", "keygen", "listing", "marquee",
    "menuitem", "multicol", "nextid", "nobr", "noembed", "noframes", "plaintext", "rb", "rtc", "spacer", "strike", "tt",
    "xmp", "hypertext", "fencedframe", "selectedcontent", "desc", "foreignobject", "mi", "mo", "mn", "ms", "mtext",
    "mglyph", "malignmark", "annotation-xml",
};

#endif
