import type { RecordRow } from '../report-data.js';
import { shortLabel } from '../visible-text.js';
import { diff, element, shown } from './elements.js';
import { exported, save } from './save.js';
import { select } from './select.js';
import { EMPTY, fragmentOf, NONE, readState, type State } from './state.js';
import { decodeStore, type Store } from './store.js';

const app = document.querySelector<HTMLElement>('#record-app');
const data = document.querySelector('#record-data');

if (app !== null && data !== null) void start(app, data);

async function start(root: HTMLElement, source: Element): Promise<void> {
  const status = element('p', { class: 'intro', role: 'status' }, 'Reading the records …');
  root.append(status);
  root.hidden = false;
  try {
    const store = await decodeStore(source.textContent ?? '', (rows, of) => {
      status.textContent = `Reading the records: ${rows} of ${of}`;
    });
    source.remove();
    status.remove();
    view(root, store);
    // What links and tests can wait for.
    root.dataset['ready'] = 'yes';
  } catch (error) {
    status.textContent = `The records of this page can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface Column {
  readonly key: keyof RecordRow | 'text' | 'place';
  readonly label: string;
  readonly number?: boolean;
  readonly title: string;
  cell(row: RecordRow, store: Store): Node | string;
}

function columnsOf(store: Store): readonly Column[] {
  const { target } = store.head;
  const some = (field: keyof RecordRow): boolean => store.rows.some((row) => row[field] !== null);
  const text = (key: 'attack' | 'model' | 'dataset' | 'run' | 'result', label: string, title: string): Column => ({
    key,
    label,
    title,
    cell: (row) => shortLabel(row[key] ?? '', 30),
  });
  const number = (key: 'sSrc' | 'dTgt' | 'sTgt' | 'margin' | 'queries', label: string, title: string): Column => ({
    key,
    label,
    title,
    number: true,
    cell: (row) => figure(row[key], key === 'queries' ? 0 : 3),
  });
  const columns: Column[] = [
    { key: 'id', label: 'record', title: 'Identifier of the record', cell: ({ id }) => shortLabel(id, 40) },
  ];
  if (distinct(store, 'run') > 1) columns.push(text('run', 'run', 'The run that the record comes from'));
  if (some('attack')) columns.push(text('attack', 'attack', 'Name of the attack'));
  if (distinct(store, 'model') > 1) columns.push(text('model', 'model', 'The model under attack'));
  if (distinct(store, 'dataset') > 1) columns.push(text('dataset', 'data set', 'The data set'));
  if (some('result')) columns.push(text('result', 'tool says', 'What the attacking tool said'));
  columns.push({
    key: 'success',
    label: 'verdict',
    title: "Whether the attack is successful by teapot's criterion",
    cell: ({ success }) => verdict(success),
  });
  columns.push(number('sSrc', 's_src', 'Meaning kept by the attacked text'));
  columns.push(
    target === 's_tgt'
      ? number('sTgt', 's_tgt', 'Similarity of both outputs')
      : number('dTgt', 'd_tgt', 'Relative decrease of the score of the output'),
  );
  columns.push(number('margin', 'margin', 'How far the criterion is above the threshold'));
  if (some('queries')) columns.push(number('queries', 'queries', 'Calls of the victim'));
  columns.push({
    key: 'text',
    label: 'text',
    title: 'What the attack changed',
    cell: (row, { head }) => diff(row, head.kinds, 160, true),
  });
  return columns;
}

function distinct(store: Store, field: 'run' | 'model' | 'dataset' | 'attack' | 'result'): number {
  return new Set(store.rows.map((row) => row[field])).size;
}

function figure(value: number | null, decimals: number): string {
  if (value === null) return '–';
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

function verdict(success: boolean | null): HTMLElement {
  if (success === null) return element('span', { class: 'verdict none' }, 'undefined');
  return element('span', { class: success ? 'verdict yes' : 'verdict no' }, success ? 'successful' : 'not successful');
}

/** Makes the filters, the table and the panel of one record, and keeps them and the URL the same. */
function view(root: HTMLElement, store: Store): void {
  let state: State = readState(location.hash) ?? EMPTY;
  let selected = select(store, state);
  let active = 0;

  const columns = columnsOf(store);
  const form = filters(store, change);
  const count = element('p', { class: 'count', role: 'status' });
  const reset = element('button', { type: 'button', onclick: () => change({ ...EMPTY }) }, 'Show all');
  const buttons = element(
    'div',
    { class: 'buttons' },
    count,
    reset,
    element('button', { type: 'button', onclick: () => download('csv') }, 'Save as CSV'),
    element('button', { type: 'button', onclick: () => download('jsonl') }, 'Save as JSONL'),
  );
  const headRow = element('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 });
  const body = element('div', { class: 'rows', role: 'rowgroup' });
  const table = element(
    'div',
    {
      class: 'table',
      role: 'grid',
      tabindex: 0,
      'aria-label': 'Records; arrow keys move, Enter opens one',
      'aria-colcount': columns.length,
    },
    element('div', { role: 'rowgroup', class: 'heading' }, headRow),
    body,
  );
  const panel = element('section', { class: 'panel', 'aria-label': 'One record', hidden: true });
  root.append(form.root, buttons, table, panel);
  root.dataset['columns'] = columns.map(({ key }) => key).join(' ');
  table.style.setProperty('--columns', columns.map(widthOf).join(' '));

  for (const column of columns) {
    const sortable = column.key !== 'text';
    const heading = element('span', {
      role: 'columnheader',
      class: column.number === true ? 'number' : '',
      'data-key': column.key,
    });
    if (sortable) {
      heading.append(
        element(
          'button',
          { type: 'button', title: column.title, onclick: () => change({ sort: nextSort(state.sort, column) }) },
          column.label,
        ),
      );
    } else heading.append(column.label);
    headRow.append(heading);
  }

  table.addEventListener('scroll', () => requestAnimationFrame(paint), { passive: true });
  addEventListener('resize', () => requestAnimationFrame(paint));
  addEventListener('hashchange', () => {
    const next = readState(location.hash);
    if (next !== undefined) apply(next, true);
  });
  table.addEventListener('keydown', (event) => move(event));
  body.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    if (row === null) return;
    active = Number(row.dataset['index']);
    open(true);
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });

  apply(state, state.record !== '');

  function change(part: Partial<State>): void {
    const next: State = { ...state, ...part };
    if (part.record === undefined) apply({ ...next, record: '' }, false);
    else apply(next, false);
    remember();
  }

  /** The URL follows the view without a new entry in the history for every letter that is typed. */
  function remember(): void {
    const fragment = fragmentOf(state);
    try {
      history.replaceState(null, '', fragment);
    } catch {
      location.replace(fragment);
    }
  }

  function apply(next: State, jump: boolean): void {
    const isSame = JSON.stringify({ ...next, record: '' }) === JSON.stringify({ ...state, record: '' });
    state = next;
    form.show(state);
    if (!isSame || body.childElementCount === 0) {
      selected = select(store, state);
      active = 0;
      table.scrollTop = 0;
    }
    count.textContent = `${selected.length} of ${store.rows.length} records`;
    table.setAttribute('aria-rowcount', String(selected.length + 1));
    for (const heading of headRow.children) {
      const key = (heading as HTMLElement).dataset['key'];
      const order = state.sort === key ? 'ascending' : state.sort === `-${key}` ? 'descending' : 'none';
      heading.setAttribute('aria-sort', order);
    }
    const wanted = Number(state.record) - 1;
    const at = state.record === '' ? -1 : selected.indexOf(wanted);
    if (at >= 0) active = at;
    paint();
    if (state.record !== '' && store.rows[wanted] !== undefined) {
      show(wanted);
      if (jump) {
        reveal();
        panel.scrollIntoView({ block: 'nearest' });
        panel.querySelector<HTMLElement>('h3')?.focus({ preventScroll: true });
      }
    } else {
      panel.hidden = true;
      if (jump) root.scrollIntoView({ block: 'start' });
    }
  }

  function rowHeight(): number {
    return Number.parseFloat(getComputedStyle(table).getPropertyValue('--row-height')) || 40;
  }

  /** Puts the rows that are in view into the table, and no others. */
  function paint(): void {
    const height = rowHeight();
    body.style.height = `${selected.length * height}px`;
    const heading = headRow.offsetHeight;
    const first = Math.max(0, Math.floor((table.scrollTop - heading) / height) - 4);
    const last = Math.min(selected.length, Math.ceil((table.scrollTop + table.clientHeight) / height) + 4);
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index += 1) {
      const row = store.rows[selected[index] ?? -1];
      if (row === undefined) continue;
      const line = element(
        'div',
        {
          role: 'row',
          class: 'row',
          id: `row-${index}`,
          'data-index': index,
          'aria-rowindex': index + 2,
          'aria-selected': String(index === active),
        },
        columns.map((column) =>
          element(
            'span',
            { role: 'gridcell', class: column.number === true ? 'number' : '', 'data-key': column.key },
            column.key === 'text' || column.key === 'id'
              ? element('bdi', {}, column.cell(row, store))
              : column.cell(row, store),
          ),
        ),
      );
      line.style.transform = `translateY(${index * height}px)`;
      rows.push(line);
    }
    body.replaceChildren(...rows);
    const isThere = active >= first && active < last;
    if (isThere && selected.length > 0) table.setAttribute('aria-activedescendant', `row-${active}`);
    else table.removeAttribute('aria-activedescendant');
  }

  function move(event: KeyboardEvent): void {
    if (event.target !== table) return;
    const page = Math.max(1, Math.floor(table.clientHeight / rowHeight()) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: selected.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) {
      if (event.key === 'Enter' && selected.length > 0) {
        event.preventDefault();
        open(true);
      }
      return;
    }
    event.preventDefault();
    active = Math.min(selected.length - 1, Math.max(0, next));
    reveal();
    paint();
  }

  /** Scrolls the table until the active row is in view. */
  function reveal(): void {
    const height = rowHeight();
    const top = active * height;
    const room = table.clientHeight - headRow.offsetHeight;
    if (top < table.scrollTop) table.scrollTop = top;
    else if (top + height > table.scrollTop + room) table.scrollTop = top + height - room;
  }

  function open(focus: boolean): void {
    const index = selected[active];
    if (index === undefined) return;
    state = { ...state, record: String(index + 1) };
    remember();
    paint();
    show(index);
    if (focus) {
      panel.scrollIntoView({ block: 'nearest' });
      panel.querySelector<HTMLElement>('h3')?.focus({ preventScroll: true });
    }
  }

  function close(): void {
    state = { ...state, record: '' };
    remember();
    panel.hidden = true;
    table.focus();
  }

  function step(by: number): void {
    active = Math.min(selected.length - 1, Math.max(0, active + by));
    reveal();
    open(true);
  }

  function show(index: number): void {
    const row = store.rows[index];
    if (row === undefined) return;
    panel.replaceChildren(
      element(
        'div',
        { class: 'panel-head' },
        element('h3', { tabindex: -1 }, element('bdi', {}, shortLabel(row.id, 80)), ' ', verdict(row.success)),
        element(
          'div',
          { class: 'buttons' },
          element('button', { type: 'button', onclick: () => step(-1) }, 'Previous'),
          element('button', { type: 'button', onclick: () => step(1) }, 'Next'),
          element('a', { href: fragmentOf({ ...EMPTY, record: String(index + 1) }) }, 'Link to this record'),
          element('button', { type: 'button', onclick: close }, 'Close'),
        ),
      ),
      ...details(row, store),
    );
    panel.hidden = false;
  }

  function download(format: 'csv' | 'jsonl'): void {
    const rows = [...selected].flatMap((index) => store.rows[index] ?? []);
    save(exported(rows, format), `records.${format}`, format === 'csv' ? 'text/csv' : 'application/jsonl');
  }
}

function widthOf({ key, number }: Column): string {
  if (number === true) return 'minmax(4.2em, 5em)';
  if (key === 'text') return 'minmax(12em, 1fr)';
  if (key === 'success') return '8em';
  if (key === 'id') return 'minmax(6em, 10em)';
  return 'minmax(5em, 9em)';
}

/** No order, then the one that shows the most first, then the other one. */
function nextSort(sort: string, { key, number }: Column): string {
  const [first, second] = number === true || key === 'success' ? [`-${key}`, key] : [key, `-${key}`];
  if (sort === first) return second;
  return sort === second ? '' : first;
}

function filters(
  store: Store,
  change: (part: Partial<State>) => void,
): { readonly root: HTMLElement; show(state: State): void } {
  const search = element('input', {
    type: 'search',
    id: 'filter-q',
    placeholder: 'words in any text',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  search.addEventListener('input', () => change({ q: search.value }));
  const root = element(
    'form',
    {
      class: 'filters',
      role: 'search',
      'aria-label': 'Filter the records',
      onsubmit: (event) => event.preventDefault(),
    },
    element('label', { class: 'search' }, element('span', {}, 'Search'), search),
  );
  const lists: [keyof State, HTMLSelectElement][] = [];
  const list = (
    name: keyof State,
    label: string,
    values: readonly (readonly [value: string, text: string])[],
  ): void => {
    if (values.length < 2 && name !== 'edit' && name !== 'rule') return;
    if (values.length === 0) return;
    const box = element(
      'select',
      { id: `filter-${name}` },
      element('option', { value: '' }, 'all'),
      values.map(([value, text]) => element('option', { value }, text)),
    );
    box.addEventListener('change', () => change({ [name]: box.value }));
    root.append(element('label', {}, element('span', {}, label), box));
    lists.push([name, box]);
  };
  const valuesOf = (of: (row: RecordRow) => readonly (string | null)[]): (readonly [string, string])[] => {
    const counts = new Map<string, number>();
    for (const row of store.rows)
      for (const value of of(row)) counts.set(value ?? NONE, (counts.get(value ?? NONE) ?? 0) + 1);
    return [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 500)
      .map(([value, times]) => [value, `${shortLabel(value.replaceAll('_', ' '), 40)} (${times})`]);
  };
  list(
    'run',
    'Run',
    valuesOf(({ run }) => [run]),
  );
  list(
    'attack',
    'Attack',
    valuesOf(({ attack }) => [attack]),
  );
  list(
    'model',
    'Model',
    valuesOf(({ model }) => [model]),
  );
  list(
    'dataset',
    'Data set',
    valuesOf(({ dataset }) => [dataset]),
  );
  list(
    'result',
    'Tool says',
    valuesOf(({ result }) => [result]),
  );
  const verdicts = new Map<boolean | null, readonly [string, string]>([
    [true, ['yes', 'successful']],
    [false, ['no', 'not successful']],
    [null, ['undefined', 'undefined']],
  ]);
  list(
    'success',
    'Verdict',
    [...verdicts].filter(([value]) => store.rows.some(({ success }) => success === value)).map(([, names]) => names),
  );
  list(
    'edit',
    'Kind of edit',
    valuesOf(({ kinds }) => kinds),
  );
  list(
    'rule',
    'Audit',
    valuesOf(({ rules }) => rules),
  );
  return {
    root,
    show(state) {
      if (search.value !== state.q) search.value = state.q;
      for (const [name, box] of lists) box.value = state[name];
    },
  };
}

/** Everything about one record. */
function details(row: RecordRow, { head }: Store): Node[] {
  const numbers: readonly (readonly [string, number | null])[] = [
    ['s_src', row.sSrc],
    ['s_tgt before', row.sTgtBase],
    ['s_tgt under attack', row.sTgt],
    ['d_tgt', row.dTgt],
    ['PDR', row.pdr],
    ['margin', row.margin],
  ];
  const facts: readonly (readonly [string, string | null])[] = [
    ['run', row.run],
    ['attack', row.attack],
    ['model', row.model],
    ['data set', row.dataset],
    ['tool says', row.result],
    ['queries', row.queries === null ? null : String(row.queries)],
    ['edits', row.kinds.length === 0 ? null : row.kinds.join(', ').replaceAll('_', ' ')],
    ['no verdict', row.reason],
    ['audit', row.rules.length === 0 ? null : row.rules.join(', ').replaceAll('_', ' ')],
    ['read from', row.place === '' ? null : row.place],
  ];
  const texts: readonly (readonly [string, string | null])[] = [
    ['original', row.src],
    ['attacked', row.advSrc],
    ['output before', row.out],
    ['output under attack', row.advOut],
    ['reference', row.ref],
  ];
  const nodes: Node[] = [];
  if (row.diff.length > 0) nodes.push(element('p', { class: 'diff', dir: 'auto' }, diff(row, head.kinds, 40_000)));
  nodes.push(
    element(
      'dl',
      { class: 'facts' },
      numbers
        .filter(([, value]) => value !== null)
        .map(([name, value]) => pair(name, figure(value, 4)))
        .concat(
          facts.filter(([, value]) => value !== null).map(([name, value]) => pair(name, shown(value ?? '', 400))),
        ),
    ),
    element(
      'dl',
      { class: 'texts' },
      texts
        .filter(([, text]) => text !== null)
        .map(([name, text]) =>
          element(
            'div',
            {},
            element('dt', {}, name),
            element(
              'dd',
              { dir: 'auto' },
              text === '' ? element('span', { class: 'empty' }, '(empty)') : shown(text ?? '', 40_000),
            ),
          ),
        ),
    ),
  );
  if (row.cut > 0) {
    nodes.push(
      element(
        'p',
        { class: 'intro' },
        `The texts are long: the page leaves out ${row.cut} characters; they are in ${row.place}.`,
      ),
    );
  }
  return nodes;
}

function pair(name: string, value: string | Node): HTMLElement {
  return element('div', {}, element('dt', {}, name), element('dd', {}, value));
}
