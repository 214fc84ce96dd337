import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { checkRecord, makeRecord, RECORD_FIELDS, recordJsonSchema } from '../../src/record/schema.js';

const published = JSON.parse(readFileSync(new URL('../../schema/record-1.json', import.meta.url), 'utf8')) as object;

describe('makeRecord', () => {
  it('fills every field', () => {
    const record = makeRecord({ id: '1', unit: 'input', src: 'hot tea' });
    expect(Object.keys(record)).toEqual(RECORD_FIELDS);
    expect(record).toMatchObject({ schema: 'teapot.record/1', src: 'hot tea', adv_src: null, extra: {} });
  });

  it('keeps unknown fields, also one named __proto__', () => {
    const unknown = JSON.parse('{"id":"1","unit":"input","__proto__":{"x":1},"note":"n"}') as {
      id: string;
      unit: 'input';
    };
    const record = makeRecord(unknown);
    expect(record['note']).toBe('n');
    expect(Object.hasOwn(record, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});

describe('checkRecord', () => {
  it('completes a short record and keeps what it does not know', () => {
    const line =
      '{"schema":"teapot.record/1","id":"a","unit":"prompt","future":[1],"provenance":{"tool":"t","host":"h"},"__proto__":7}';
    const checked = checkRecord(JSON.parse(line));
    if (!('record' in checked)) throw new Error('a good record was refused');
    expect(checked.record).toMatchObject({ future: [1], out: null, extra: {}, provenance: { tool: 't', host: 'h' } });
    expect(JSON.stringify(checked.record)).toContain('"__proto__":7');
  });

  it('accepts a newer minor version and refuses a newer major one by name', () => {
    expect(checkRecord({ schema: 'teapot.record/1.3', id: 'a', unit: 'input' })).toHaveProperty('record');
    expect(checkRecord({ schema: 'teapot.record/2', id: 'a', unit: 'input' })).toEqual({
      problem: {
        path: '$.schema',
        message: 'schema "teapot.record/2" is newer than this teapot, which reads teapot.record/1: update teapot',
      },
    });
  });

  it.each([
    ['{"schema":"teapot.record/1","unit":"input"}', '$.id'],
    ['{"schema":"teapot.record/1","id":"a","unit":"input","measured":{"s_src":"high"}}', '$.measured.s_src'],
    ['{"schema":"teapot.record/1","id":"a","unit":"input","ref":["a",1]}', '$.ref'],
    [
      '{"schema":"teapot.record/1","id":"a","unit":"input","columns":{"original":{"odd name":1},"perturbed":null}}',
      '$.columns.original["odd name"]',
    ],
    ['[]', '$'],
    ['null', '$'],
  ])('names the place: %s', (line, path) => {
    expect(checkRecord(JSON.parse(line))).toMatchObject({ problem: { path } });
  });
});

describe('schema/record-1.json', () => {
  it('is what the definition gives: run `npm run build:schema` after a change', () => {
    expect(published).toEqual(recordJsonSchema());
  });

  it('agrees with the check of the reader', () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(published);
    expect(validate(makeRecord({ id: '1', unit: 'input', ref: ['a', 'b'], scale: 100, future: true }))).toBe(true);
    expect(validate({ schema: 'teapot.record/1', id: '1', unit: 'input' })).toBe(true);
    expect(validate({ schema: 'teapot.record/2', id: '1', unit: 'input' })).toBe(false);
    expect(validate({ schema: 'teapot.record/1', id: 1, unit: 'input' })).toBe(false);
  });
});
