import type { ReactNode } from 'react'

/** The paper and ink of the pages by day, for a painter that knows no tokens. */
export const colour = {
  paper: '#f9f7f1',
  raised: '#fefdfb',
  ink: '#17293d',
  muted: '#4d5967',
  line: '#d8d3c8',
  accent: '#b63d0f',
} as const

export type Style = Record<string, string | number>

/** An element as the painter takes it, without a renderer of React's. */
export function element(type: string, props: Record<string, unknown>, ...children: unknown[]): ReactNode {
  return { type, key: null, props: { ...props, children } } as ReactNode
}

export const box = (style: Style, ...children: unknown[]) =>
  element('div', { style: { display: 'flex', ...style } }, ...children)

/** The first email that has a direction at all says in which the text runs. */
const firstEmail = /\p{L}/u
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

export const runsLeft = (words: string) => rightToLeft.test(firstEmail.exec(words)?.[0] ?? '')

/** Characters that have no shape; fonts draw a box for them. */
const shapeless = /\p{Cc}+/gu

/** A text that ends with an ellipsis after so many lines. */
export function text(words: string, lines: number, style: Style): ReactNode {
  const direction = runsLeft(words) ? 'rtl' : 'ltr'
  const clamped = { display: 'block', lineClamp: lines, wordBreak: 'break-word', direction }
  return element('div', { style: { ...clamped, ...style } }, words.replace(shapeless, ' '))
}
