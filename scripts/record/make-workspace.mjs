// Writes the workspace of the recorded tool calls, byte for byte the same every time.
//
//   node make-workspace.mjs DIR [OUTSIDE]
//
// Files that git would ignore or rewrite (CRLF, dist/, node_modules/) are made here: this program is the reference, not a
// checkout. Tests read the names of the files from its calls of put, so each stands on a line with its name.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
export function makeWorkspace(dir, outside = '/home/dev/outside') {
  const put = (f, data) => {
    const p = path.join(dir, f);
    fs.mkdirSync(path.dirname(p), { recursive: true });
    fs.writeFileSync(p, data);
  };
  const link = (f, to) => {
    const p = path.join(dir, f);
    fs.mkdirSync(path.dirname(p), { recursive: true });
    fs.symlinkSync(to, p);
  };
  const range = (n, f) => Array.from({ length: n }, (_, i) => f(i + 1)).join('\n');
  put('hello.py', 'def greet(name):\n    return "Hello " + name\n\nprint(greet("world"))\n');
  put('README.md', '# Demo\n\nA small workspace.\n\n- one\n- two\n');
  put('.gitignore', 'dist/\nnode_modules/\n*.log\n');
  put('dist/out.js', 'var needle = 1;\n');
  put('node_modules/pkg/index.js', 'module.exports = "needle";\n');
  put('debug.log', 'needle in a log\n');
  put('.hidden/secret.txt', 'needle hidden\n');
  put('.env', 'TOKEN=needle\n');
  put('.env.example', 'TOKEN=\n');
  put('text/empty.txt', '');
  put('text/blank.txt', '\n');
  put('text/blanks.txt', '\n\n\n');
  put('text/spaces-only.txt', '   \n\t\n');
  put('text/no-newline.txt', 'first\nlast without newline');
  put('text/one.txt', 'only line\n');
  put('text/crlf.txt', 'alpha\r\nbeta\r\n\r\ngamma\r\n');
  put('text/crlf-end.txt', 'alpha\r\nbeta');
  put('text/mixed.txt', 'unix\nwindows\r\nunix again\n');
  put('text/cr-only.txt', 'old\rmac\rlines\r');
  put('text/trailing.txt', 'keep  \nthese\t\n  spaces   \nplain\n');
  put('text/long-line.txt', 'short\n' + 'x'.repeat(5000) + '\nafter\n');
  put('text/exact-2000.txt', 'a'.repeat(2000) + '\n' + 'b'.repeat(2001) + '\n');
  put('text/emoji-edge.txt', 'a'.repeat(1999) + '😀'.repeat(10) + '\n');
  put('text/cjk-long.txt', '漢'.repeat(2500) + '\n');
  put('text/wide.txt', range(100, (i) => String(i).padStart(3, '0') + ' ' + 'w'.repeat(996)) + '\n');
  put('text/one-huge-line.txt', 'h'.repeat(120000) + '\n');
  put('text/lines-3000.txt', range(3000, (i) => `line ${i}`) + '\n');
  put('text/lines-2000.txt', range(2000, (i) => `row ${i}`) + '\n');
  put('text/lines-2001.txt', range(2001, (i) => `row ${i}`) + '\n');
  put('text/bom.txt', '\ufeffwith a mark\nsecond\n');
  put('text/utf16.txt', Buffer.from('\ufeffsixteen\n', 'utf16le'));
  put('text/latin1.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a, 0x6e, 0xf6, 0x0a]));
  put('text/unicode.txt', 'привет мир\n你好，世界\n😀 👨‍👩‍👧 é e\u0301\nשלום\nline\u2028separator\nnext\u0085line\nform\ffeed\nvertical\vtab\n');
  put('text/nul.txt', 'before\0after\n');
  put('text/control.txt', Buffer.from([1, 2, 3, 4, 5, 6, 7, 0x41, 0x42, 0x0a]));
  put('text/some-control.txt', 'mostly text with \x1b[31mred\x1b[0m inside\n');
  put('media/pixel.png', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'));
  put('media/fake.png', 'this is not a picture\n');
  put('media/pixel-no-ext', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'));
  put('media/icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"><title>dot</title></svg>\n');
  put('media/doc.pdf', '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
  put('media/text.bin', 'plain text in a .bin\n');
  put('media/a.zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex'));
  put('media/empty.bin', '');
  put('src/app.ts', 'import { add } from "./util";\n\nexport function main(): number {\n  const total = add(1, 2);\n  return total;\n}\n');
  put('src/util.ts', 'export function add(a: number, b: number) {\n  return a + b;\n}\n\nexport function sub(a: number, b: number) {\n  return a - b;\n}\n');
  put('src/view.tsx', 'export const View = () => <p>needle</p>;\n');
  put('src/deep/a/b/c.ts', 'export const c = "needle";\n');
  put('src/style.css', 'p { color: red }\n');
  put('src/dup.ts', 'const a = 1;\nlog(a);\nconst b = 2;\nlog(a);\nconst c = 3;\nlog(a);\n');
  put('src/indent.py', 'class A:\n    def one(self):\n        if True:\n            return 1\n\n    def two(self):\n        if True:\n            return 2\n');
  put('src/tabs.go', 'package main\n\nfunc main() {\n\tif true {\n\t\tprintln("x")\n\t}\n}\n');
  put('src/block.js', 'function first() {\n  const a = 1;\n  const b = 2;\n  return a + b;\n}\n\nfunction second() {\n  const a = 10;\n  const b = 20;\n  return a * b;\n}\n');
  put('src/twins.js', 'function load() {\n  start();\n  read(1);\n  stop();\n}\n\nfunction save() {\n  start();\n  write(1);\n  stop();\n}\n\nfunction drop() {\n  start();\n  erase(1);\n  stop();\n}\n');
  put('src/escape.js', 'const s = "a\\nb";\nconst t = `tick`;\nconst d = "$1 $& $$";\n');
  put('src/quotes.md', 'She said \u201chello\u201d \u2014 it\u2019s fine.\nPlain "quotes" - here.\n');
  put('src/spaces.txt', 'a  b   c\nx\ty\tz\nend of it\n');
  put('src/repeat.txt', 'aaaa\naa aa\n');
  put('src/gap.js', 'begin();\none();\ntwo();\nthree();\nfour();\nfive();\nsix();\nend();\nother();\n');
  put('dir with space/file name.txt', 'spaced\n');
  put('日本語.txt', 'ファイル\nneedle\n');
  put('[id].ts', 'export const id = "needle";\n');
  put('a$b&c.txt', 'odd name\n');
  put('UPPER.TXT', 'upper\n');
  put('src/.dotted.ts', 'export {};\n');
  fs.mkdirSync(path.join(dir, 'emptydir'), { recursive: true });
  link('link.py', 'hello.py');
  link('linkdir', 'src');
  link('broken', 'nowhere.txt');
  link('escape.txt', path.join(outside, 'secret.txt'));
  link('escape-dir', outside);
  for (let i = 0; i < 130; i++) put(`many/f${String(i).padStart(3, '0')}.txt`, `pin ${i}\n`);
  put('grep/many.txt', range(150, (i) => `hit number ${i}`) + '\n');
  put('grep/long.txt', 'NEEDLE at the start ' + 'l'.repeat(3000) + '\n' + 'l'.repeat(3000) + ' NEEDLE at the end\n');
  put('grep/regex.txt', 'foo(bar)\nfoo.bar\nfoo+bar\n$price 5\nback\\slash\nTODO: x\ntodo: y\n  indented hit\n');
  put('grep/multi.txt', 'start\nmiddle\nend\n');
  put('grep/crlf.txt', 'one match\r\ntwo match\r\n');
  fs.rmSync(outside, { recursive: true, force: true });
  fs.mkdirSync(outside, { recursive: true });
  fs.writeFileSync(path.join(outside, 'secret.txt'), 'outside secret\n');
  fs.mkdirSync(path.join(outside, 'sub'));
  fs.writeFileSync(path.join(outside, 'sub/x.ts'), 'export const x = "needle";\n');
}
if (process.argv[1] === fileURLToPath(import.meta.url)) makeWorkspace(path.resolve(process.argv[2]), process.argv[3] ? path.resolve(process.argv[3]) : '/home/dev/outside');
