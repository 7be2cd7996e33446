// Pages in files of the reader's disk.

const DECLARED = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i;
const HEAD = 4096; // bytes in which an encoding is declared

/** Return the text of an HTML file, in the encoding that it declares, else in UTF-8. */
export async function pageText(file) {
  const content = await file.arrayBuffer();
  const head = new TextDecoder("latin1").decode(content.slice(0, HEAD));
  return decoder(head.match(DECLARED)?.[1]).decode(content);
}

function decoder(label = "utf-8") {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder(); // a name that no browser knows
  }
}
