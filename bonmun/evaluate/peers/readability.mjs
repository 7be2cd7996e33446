// Mozilla's Readability.js on a jsdom tree: the same JSON lines as system_main.py. Its packages are in the folder named
// by the argument.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const require = createRequire(process.argv[2] + '/');
const { JSDOM, VirtualConsole } = require('jsdom');
const { Readability } = require('@mozilla/readability');

function extract(html, url) {
  const options = { virtualConsole: new VirtualConsole() };
  let dom;
  try {
    dom = new JSDOM(html, url ? { ...options, url } : options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    dom = new JSDOM(html, options); // invalid URL
  }
  try {
    return new Readability(dom.window.document).parse()?.content ?? '';
  } finally {
    dom.window.close();
  }
}

function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return 0;
  }
}

function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

function answer(page) {
  forgetPeak();
  const begun = process.cpuUsage();
  const start = performance.now();
  let result;
  try {
    result = { output: extract(page.html, page.url) };
  } catch (error) {
    result = { error: String(error).slice(0, 500) };
  }
  const spent = process.cpuUsage(begun);
  const wall = (performance.now() - start) / 1000;
  return { ...result, cpu: (spent.user + spent.system) / 1e6, wall, memory: peak() };
}

const sample = '<body><article>' + '<p>Tea, and water that boils, for everyone at the table. </p>'.repeat(20);
for (let round = 0; round < 20; round++) extract(sample, null); // warm-up: JIT compilation is not charged to a page
process.stdout.write('{}\n');
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n');
}
