// Prints `N passed, N failed` over the output of `cargo test` and the JSON report of vitest. A half that did not run
// counts nothing.
import { readFileSync } from 'node:fs';

const [rustFile, typescriptFile] = process.argv.slice(2);
let passed = 0;
let failed = 0;

for (const [, ok, bad] of read(rustFile).matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)) {
  passed += Number(ok);
  failed += Number(bad);
}
const report = read(typescriptFile);
if (report !== '') {
  const { numPassedTests, numFailedTests } = JSON.parse(report);
  passed += numPassedTests;
  failed += numFailedTests;
}
console.log(`${passed} passed, ${failed} failed`);

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
