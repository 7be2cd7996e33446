/* The masks of a chunk, by the comparisons of an instruction set; characters.c includes this for some. */

static ALWAYS_INLINE IN_TARGET byte_masks IN(masks)(const uint8_t *from) {
    IN(chunk) x = IN(load)(from);
    byte_masks m;
    uint64_t stop = IN(equal)(x, '.'), close = IN(equal)(x, ')');
    m.upper = IN(range)(x, 'A', 'Z');
    m.letters = m.upper | IN(range)(x, 'a', 'z');
    m.digits = IN(range)(x, '0', '9');
    m.wide = IN(wide)(x);
    m.gaps = IN(equal)(x, ' ') | IN(equal)(x, '\n');
    m.stops = stop | IN(equal)(x, '!') | IN(equal)(x, '?');
    m.commas = IN(equal)(x, ',') | IN(equal)(x, ';');
    m.colons = IN(equal)(x, ':');
    m.quotes = IN(equal)(x, '"');
    m.brackets = close | IN(equal)(x, '(') | IN(equal)(x, '[') | IN(equal)(x, ']');
    m.currencies = IN(equal)(x, '$');
    m.separators = stop | m.colons | IN(equal)(x, '-') | IN(equal)(x, '/');
    m.closing = m.gaps | m.quotes | close | IN(equal)(x, '\'');
    return m;
}
