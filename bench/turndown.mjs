// Turndown with its GFM plug-in: a line of JSON {"html": …} in, a line {"markdown": …} out. Its packages are in the folder
// named by the argument.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(process.argv[2] + '/');
const TurndownService = require('turndown');
const { gfm } = require('turndown-plugin-gfm');

const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
service.use(gfm);
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let markdown = '';
  try {
    markdown = service.turndown(JSON.parse(line).html);
  } catch (error) {
    process.stderr.write(`turndown: ${String(error).slice(0, 200)}\n`);
  }
  process.stdout.write(JSON.stringify({ markdown }) + '\n');
}
