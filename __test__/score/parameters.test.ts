import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.js';
import { splitCommand } from '../../src/score/command-words.js';
import { describeRange, parseParameter, parseScorerSpec, readParameters } from '../../src/score/parameters.js';
import type { ParameterDefinition } from '../../src/score/parameters.js';

const beta: ParameterDefinition = { name: 'beta', type: 'number', above: 0, default: 2, help: '' };
const order: ParameterDefinition = { name: 'order', type: 'integer', minimum: 1, maximum: 9, default: 4, help: '' };
const lowercase: ParameterDefinition = { name: 'lowercase', type: 'boolean', default: false, help: '' };
const unit: ParameterDefinition = { name: 'unit', type: 'choice', choices: ['char', 'word'], help: '' };
const jar: ParameterDefinition = { name: 'jar', type: 'text', flag: 'meteor-jar', help: '' };
const all = [beta, order, lowercase, unit, jar];

function read(spec: string, flags: Readonly<Record<string, unknown>> = {}): unknown {
  const { key, given } = parseScorerSpec(spec);
  return readParameters(key, all, given, flags);
}

describe('key:param=value,param=value', () => {
  it('fills in defaults', () => {
    expect(read('x')).toEqual({ beta: 2, order: 4, lowercase: false, unit: undefined, jar: undefined });
  });

  it('reads every type, and blanks around names and values', () => {
    expect(read('x: beta = 1.5e0 ,order=9,lowercase=YES,unit=word,jar=a:b=c')).toEqual({
      beta: 1.5,
      order: 9,
      lowercase: true,
      unit: 'word',
      jar: 'a:b=c',
    });
  });

  it.each([
    ['yes', true],
    ['true', true],
    ['on', true],
    ['1', true],
    ['no', false],
    ['False', false],
    ['off', false],
    ['0', false],
  ])('reads the boolean %s', (text, value) => {
    expect(parseParameter(lowercase, text, 'x')).toBe(value);
  });

  it('takes a value from a flag, as text or number', () => {
    expect(read('x', { 'meteor-jar': 'm.jar' })).toMatchObject({ jar: 'm.jar' });
    expect(readParameters('x', [{ ...beta, flag: 'beta' }], new Map(), { beta: 3 })).toEqual({ beta: 3 });
  });

  it.each([
    ['', 'names no scorer'],
    [':beta=1', 'names no scorer'],
    ['x:', 'found "", expected x:param=value'],
    ['x:beta', 'found "beta", expected x:param=value'],
    ['x:=1', 'found "=1", expected'],
    ['x:beta=1,,order=2', 'found "", expected'],
    ['x:beta=1,beta=2', 'parameter "beta" is given twice'],
    ['x:betta=1', 'scorer x has no parameter "betta". Did you mean "beta"? It has: beta, order, lowercase, unit, jar'],
    ['x:beta=', 'x:beta: found "", expected a number above 0'],
    ['x:beta=0', 'found "0", expected a number above 0'],
    ['x:beta=-1', 'found "-1"'],
    ['x:beta=NaN', 'found "NaN"'],
    ['x:beta=Infinity', 'found "Infinity"'],
    ['x:beta=1e999', 'found "1e999"'],
    ['x:beta=0x10', 'found "0x10"'],
    ['x:beta=1;5', 'found "1;5"'],
    ['x:order=1.5', 'found "1.5", expected an integer from 1 to 9'],
    ['x:order=10', 'found "10", expected an integer from 1 to 9'],
    ['x:lowercase=maybe', 'found "maybe", expected yes or no'],
    ['x:unit=wrod', 'found "wrod". Did you mean "word"? Expected one of: char, word'],
    ['x:jar=', 'x:jar: found nothing, expected a text'],
  ])('refuses %j', (spec, message) => {
    expect(() => read(spec)).toThrow(message);
  });

  it('refuses a parameter that a flag sets too', () => {
    expect(() => read('x:jar=a', { 'meteor-jar': 'b' })).toThrow('x:jar and --meteor-jar both set the same parameter');
  });

  it('says that a scorer has no parameters at all', () => {
    expect(() => readParameters('f1', [], new Map([['beta', '1']]))).toThrow('scorer f1 takes no parameters');
  });

  it('describes ranges', () => {
    expect([beta, order, lowercase, unit, jar].map((one) => describeRange(one))).toEqual([
      'a number above 0',
      'an integer from 1 to 9',
      'yes or no',
      'char, word',
      'a text',
    ]);
  });
});

describe('commands are split without a shell', () => {
  it.each([
    ['python my_scorer.py', ['python', 'my_scorer.py']],
    ['  python\t-u   a.py ', ['python', '-u', 'a.py']],
    [`python "my scorer.py" 'x y'`, ['python', 'my scorer.py', 'x y']],
    [`a b"c d"e ''`, ['a', 'bc de', '']],
    [`"a b/run" --x="1 2"`, ['a b/run', '--x=1 2']],
    [String.raw`a my\ scorer.py \"x\" \\y`, ['a', 'my scorer.py', '"x"', String.raw`\y`]],
    [String.raw`a "say \"hi\" \\ \n"`, ['a', String.raw`say "hi" \ \n`]],
    [String.raw`a 'no \ escape'`, ['a', String.raw`no \ escape`]],
    [String.raw`C:\Java\bin\java.exe -jar`, [String.raw`C:\Java\bin\java.exe`, '-jar']],
    [`sh -c 'python a.py | tee log'`, ['sh', '-c', 'python a.py | tee log']],
    [`a $HOME *.py ~`, ['a', '$HOME', '*.py', '~']],
    [`a '|' \\"`, ['a', '|', '"']],
    ['a é🍵', ['a', 'é🍵']],
  ])('%s', (command, words) => {
    expect(splitCommand(command, 'exec:')).toEqual(words);
  });

  it.each([
    ['', 'found no program'],
    ['   ', 'found no program'],
    ['""', 'found no program'],
    ['python "a.py', 'the quote " in `python "a.py` is not closed'],
    [`python 'a.py`, "the quote ' in"],
    ['python a.py | tee log', '"|" needs a shell'],
    ['python a.py > log', '">" needs a shell'],
    ['cd x && python a.py', '"&&" needs a shell'],
  ])('%j is refused', (command, message) => {
    expect(() => splitCommand(command, 'exec:')).toThrow(message);
    expect(() => splitCommand(command, 'exec:')).toThrow(
      expect.objectContaining({ name: 'UsageError', code: ERROR_CODES.INVALID_OPTION }),
    );
  });
});
