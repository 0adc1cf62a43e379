// Parts that several views show.
import { html, nothing, svg } from './lit-html.js';
import { ago, exact, many, number, short, timed, words } from './format.js';

/** A value with its colour, and its text for those who see no colour. */
export const badge = (value, text = value) => html`<span class="badge ${value}">${words(text)}</span>`;

export const agentLink = id => html`<a href="#/agents/${encodeURIComponent(id)}"><bdi>${id}</bdi></a>`;

/** How long ago something was, with the time itself for those who point at it. */
export const moment = at => at ? time(at, ago(at)) : 'never';

const time = (at, text) => html`<time datetime=${at} title=${exact(at)}>${text}</time>`;

/** A sentence of the registry, with its times as people read them. */
export const told = sentence => timed(sentence).map(part => typeof part === 'string' ? part : time(part.at, part.text));

/** Shares of a whole as one bar; its text is read to those who do not see it. */
export function bar(counts, names, label) {
  const total = names.reduce((sum, name) => sum + (counts[name] || 0), 0);
  let x = 0;
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img"
      aria-label=${`${label}: ${names.filter(n => counts[n]).map(n => `${counts[n]} ${words(n)}`).join(', ') || 'none'}`}>
    ${names.filter(name => total && counts[name]).map(name => {
      const width = 100 * counts[name] / total;
      x += width;
      return rect(name, x - width, width);
    })}
  </svg>`;
}

/** What the colours of bars mean; `prefix` is that of their classes. */
export const legend = (names, prefix = '') => html`<ul class="legend inline" aria-label="Colours">${names.map(name => html`<li><span><i class=${prefix + name}></i>${words(name)}</span></li>`)}</ul>`;

const rect = (name, x, width) => svg`<rect class=${name} x=${x} y="0" width=${width} height="6"></rect>`;

const STEP = 5;

/** How many agents have a score in each step of 5 points, in the colours of the states. */
export function histogram(steps) {
  const most = Math.max(1, ...steps);
  const state = i => i * STEP >= 85 ? 'Healthy' : i * STEP >= 65 ? 'Degraded' : 'Unhealthy';
  const said = steps.map((n, i) => n ? `${n} from ${i * STEP} to ${(i + 1) * STEP}` : '').filter(Boolean).join(', ');
  return html`<svg class="histogram" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=${`Agents by score: ${said || 'none'}`}>
      ${steps.map((n, i) => n ? svg`<rect class=${state(i)} x=${i * STEP + .4} width=${STEP - .8} y=${40 - Math.max(1.5, 40 * n / most)} height="40">
        <title>${`${many(n, 'agent')} from ${i * STEP} to ${(i + 1) * STEP}`}</title></rect>` : nothing)}
    </svg><p class="scale" aria-hidden="true"><span>0</span><span>50</span><span>100 points</span></p>`;
}

export const count = (value, name, href) => html`
  <a class="tile ${name} ${value ? '' : 'none'}" href=${href}><strong>${number(value)}</strong><span>${words(name)}</span></a>`;

export const empty = text => html`<p class="empty">${text}</p>`;

export const failure = error => error ? html`<p class="failure" role="alert">${error.message}</p>` : nothing;

export const loading = html`<p class="empty" role="status">Loading …</p>`;

/** Pairs of a name and a value; pairs without a value are left out. */
export const facts = pairs => html`<dl>${pairs.filter(([, value]) => value !== undefined && value !== '')
  .map(([name, value]) => html`<div><dt>${name}</dt><dd>${typeof value === 'string' ? told(value) : value}</dd></div>`)}</dl>`;

/** A table in a region that scrolls sideways if it is too narrow. On a phone, each row is a block with a line for each cell. */
const table = (caption, heads, rows, figures) => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${caption}><table class="rows">
    <caption>${caption}</caption>
    <thead><tr>${heads.map(head => html`<th scope="col" class=${figures.includes(head) ? 'figure' : ''}>${head}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`;

/**
 * A table of things whose cells are known by column: `{ head, cell, figure }`. A column without any value is left out, so no column has dashes only.
 * The first column names the row.
 */
export const columns = (caption, wanted, items) => {
  const cells = wanted.map(({ cell }) => items.map(cell));
  const filled = wanted.map((column, i) => ({ ...column, cells: cells[i] })).filter(({ cells: values }, i) => !i || values.some(value => value !== undefined && value !== '' && value !== null));
  return table(caption, filled.map(({ head }) => head), items.map((_, row) => html`<tr>${filled.map(({ head, cells: values, figure }, i) => i
    ? html`<td class=${figure ? 'figure' : ''} data-head=${head}>${values[row] ?? ''}</td>` : html`<th scope="row">${values[row]}</th>`)}</tr>`), filled.filter(({ figure }) => figure).map(({ head }) => head));
};

/** Things of one kind as rows under a heading. Unlike a row of a table, a row leaves out what its thing lacks, and wraps on a phone. */
export const things = (title, rows) => html`<section class="flush"><h2>${title}</h2><ul class="problems things">${rows}</ul></section>`;

/** A row of `things`: its name with its state, lines with what is known, an age, and what can be done. */
export const thing = ({ name, state = nothing, lines = [], age = nothing, actions = [], look = '' }) => html`<li class=${look}><div><strong><bdi>${name}</bdi></strong> ${state}
    ${lines.filter(line => line !== undefined && line !== '' && line !== nothing).map(line => html`<p class="note">${line}</p>`)}</div>
  <span class="age">${age}</span><div class="actions">${actions}</div></li>`;

/** Actions behind one button; choosing one closes them. */
export const menu = (label, content, text = '⋯') => html`<details class="menu" @click=${e => { if (e.target.closest('button')) e.currentTarget.open = false; }}
  @keydown=${e => { if (e.key === 'Escape') { e.currentTarget.open = false; e.currentTarget.querySelector('summary').focus(); } }}
  @focusout=${e => { if (e.relatedTarget && !e.currentTarget.contains(e.relatedTarget)) e.currentTarget.open = false; }}>
  <summary aria-label=${label} title=${label}>${text}</summary><div>${content}</div></details>`;

/** A part that is shown when it is asked for; `opened` is called then. */
export const fold = (title, content, id = nothing, opened = () => {}) => html`<section id=${id}><details class="fold" @toggle=${e => e.target.open && opened()}><summary>${title}</summary>${content}</details></section>`;

/** A long id by its beginning and its end, with a button that copies it. */
export function shortId(id) {
  if (short(id) === id) return html`<bdi>${id}</bdi>`;
  const copy = async event => {
    const button = event.currentTarget;
    button.kept ||= [...button.childNodes];
    try {
      await navigator.clipboard.writeText(id);
      button.textContent = '✓';
    } catch (e) {
      button.textContent = '✗';
    }
    setTimeout(() => button.replaceChildren(...button.kept), 2000);
  };
  return html`<span class="short" title=${id}><bdi>${short(id)}</bdi><button type="button" class="icon" aria-label=${`Copy ${id}`} @click=${copy}><svg viewBox="0 0 14 14" aria-hidden="true"><rect x="1" y="1" width="8.5" height="8.5" rx="1.5"></rect><path d="M5 13h6.5A1.5 1.5 0 0 0 13 11.5V5"></path></svg></button></span>`;
}

/** Lets the browser save a text as a file. */
export function save(name, type, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Lines of CSV (RFC 4180). A spreadsheet computes none of the values. */
export const csv = rows => rows.map(row => row.map(value => {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}).join(',')).join('\r\n') + '\r\n';

/** A part of a view that is read: what it shows, or why there is nothing to show and a way to try it again. */
export const loaded = (value, error, again, shown) => value !== undefined ? html`${failure(error)}${shown(value)}`
  : error ? html`${failure(error)}<button type="button" @click=${again}>Try again</button>` : loading;

/** The views of which this is one. */
export const tabs = (label, current, views) => html`<nav class="tabs" aria-label=${label}>${views.map(([name, text]) => html`
  <a href=${`#/${name}`} aria-current=${name === current ? 'page' : nothing}>${text}</a>`)}</nav>`;

/** A text with a button that copies it. */
export function copied(text, label) {
  const copy = async event => {
    const button = event.target;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    } catch (e) {
      getSelection().selectAllChildren(button.parentElement.querySelector('pre'));
      button.textContent = 'Copy with the keyboard';
    }
  };
  return html`<div class="copied"><pre tabindex="0">${text}</pre><button type="button" aria-label=${label} @click=${copy}>Copy</button></div>`;
}
