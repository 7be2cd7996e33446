/* Counts over a text, a chunk at a time. characters.c includes this once for each instruction set, with IN(…) around the names
 * that differ: IN(masks) and IN(ones), the number of bits set. */

static ALWAYS_INLINE IN_TARGET void IN(put_lower)(const uint8_t *restrict from, uint8_t *restrict to) {
    for (int at = 0; at < CHUNK; at++) to[at] = byte_lower(from[at]);
}

static IN_TARGET void IN(read)(reading *r) {
    text_counts counts = {0};
    int32_t narrow = 0;
    uint64_t gaps = UINT64_C(1) << 63, digits = 0, separators = 0; /* of the chunk before */
    int32_t at = 0, chunk = 0;
    for (; at < r->length; at += CHUNK, chunk++) {
        uint8_t padded[CHUNK];
        const uint8_t *from = r->text + at;
        int32_t left = r->length - at;
        if (r->readable - at < CHUNK) from = pad(padded, from, left);
        byte_masks m = IN(masks)(from);
        IN(put_lower)(from, r->bits->lower + at);
        uint64_t valid = left < CHUNK ? (UINT64_C(1) << left) - 1 : UINT64_MAX, wide = m.wide & valid, stops = m.stops & valid;
        uint64_t end = left < CHUNK ? UINT64_C(1) << left : 0; /* a text's end closes, too */
        m.digits &= valid;
        m.letters &= valid;
        m.gaps &= valid;
        m.upper &= valid;
        uint64_t sure = stops & (m.closing | end) >> 1, first = m.digits & ~one_later(m.digits, digits, 1);
        r->bits->letters[chunk] = m.letters;
        r->bits->digits[chunk] = m.digits;
        r->bits->wide[chunk] = wide;
        narrow += (left < CHUNK ? left : CHUNK) - IN(ones)(wide);
        counts.words += IN(ones)(m.gaps);
        counts.sentences += IN(ones)(sure) + count_unsure(r, at, stops, sure, wide);
        counts.commas += IN(ones)(m.commas & valid);
        counts.colons += IN(ones)(m.colons & valid);
        counts.digits += IN(ones)(m.digits);
        counts.currencies += IN(ones)(m.currencies & valid);
        counts.quotes += IN(ones)(m.quotes & valid);
        counts.brackets += IN(ones)(m.brackets & valid);
        counts.dates += IN(ones)(m.digits & one_later(m.separators & valid, separators, 1) & one_later(m.digits, digits, 2));
        counts.years += count_years(r, at, first, m.digits);
        counts.upper += IN(ones)(m.upper);
        counts.letters += IN(ones)(m.letters);
        counts.capitalised += IN(ones)(m.upper & one_later(m.gaps, gaps, 1));
        gaps = m.gaps;
        digits = m.digits;
        separators = m.separators;
    }
    r->bits->letters[chunk] = r->bits->digits[chunk] = 0;
    r->narrow = narrow;
    *r->counts = counts;
}
