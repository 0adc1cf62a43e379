// Parts that several views show.
import { html, nothing, svg } from './lit-html.js';
import { ago, clock, number, words } from './format.js';

/** A value with its colour, and its text for those who see no colour. */
export const badge = (value, text = value) => html`<span class="badge ${value}">${words(text)}</span>`;

export const agentLink = id => html`<a href="#/agents/${encodeURIComponent(id)}"><bdi>${id}</bdi></a>`;

/** How long ago something was, with the time itself for those who point at it. */
export const moment = at => at ? html`<time datetime=${at} title=${clock(at)}>${ago(at)}</time>` : 'never';

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

const rect = (name, x, width) => svg`<rect class=${name} x=${x} y="0" width=${width} height="6"></rect>`;

const STEP = 5;

/** How many agents have a score in each step of 5 points, in the colours of the states. */
export function histogram(steps) {
  const most = Math.max(1, ...steps);
  const state = i => i * STEP >= 85 ? 'Healthy' : i * STEP >= 65 ? 'Degraded' : 'Unhealthy';
  const said = steps.map((n, i) => n ? `${n} from ${i * STEP} to ${(i + 1) * STEP}` : '').filter(Boolean).join(', ');
  return html`<svg class="histogram" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=${`Agents by score: ${said || 'none'}`}>
      ${steps.map((n, i) => n ? svg`<rect class=${state(i)} x=${i * STEP + .4} width=${STEP - .8} y=${40 - Math.max(1.5, 40 * n / most)} height="40">
        <title>${`${number(n)} agents from ${i * STEP} to ${(i + 1) * STEP}`}</title></rect>` : nothing)}
    </svg><p class="scale" aria-hidden="true"><span>0</span><span>50</span><span>100 points</span></p>`;
}

export const count = (value, name, href) => html`
  <a class="tile ${name} ${value ? '' : 'none'}" href=${href}><strong>${number(value)}</strong><span>${words(name)}</span></a>`;

export const empty = text => html`<p class="empty">${text}</p>`;

export const failure = error => error ? html`<p class="failure" role="alert">${error.message}</p>` : nothing;

export const loading = html`<p class="empty" role="status">Loading …</p>`;

/** Pairs of a name and a value; pairs without a value are left out. */
export const facts = pairs => html`<dl>${pairs.filter(([, value]) => value !== undefined && value !== '')
  .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A table in a region that scrolls sideways on narrow screens. */
export const table = (caption, heads, rows, figures = []) => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${caption}><table>
    <caption>${caption}</caption>
    <thead><tr>${heads.map(head => html`<th scope="col" class=${figures.includes(head) ? 'figure' : ''}>${head}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`;

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
