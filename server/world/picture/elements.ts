import type { ReactNode } from 'react'

/** The colours of the light theme. */
export const colour = {
  paper: '#f9f7f1',
  raised: '#fefdfb',
  ink: '#17293d',
  muted: '#4d5967',
  line: '#d8d3c8',
  accent: '#b63d0f',
} as const

export type Style = Record<string, string | number>

/** Creates an element as satori takes it. */
export function element(type: string, props: Record<string, unknown>, ...children: unknown[]): ReactNode {
  return { type, key: null, props: { ...props, children } } as ReactNode
}

export const box = (style: Style, ...children: unknown[]) =>
  element('div', { style: { display: 'flex', ...style } }, ...children)

/** The first letter determines the direction of the text. */
const firstLetter = /\p{L}/u
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

export const runsLeft = (words: string) => rightToLeft.test(firstLetter.exec(words)?.[0] ?? '')

/** Control characters, for which fonts draw a box. */
const shapeless = /\p{Cc}+/gu

/** A text that ends with an ellipsis after so many lines. */
export function text(words: string, lines: number, style: Style): ReactNode {
  const direction = runsLeft(words) ? 'rtl' : 'ltr'
  const clamped = { display: 'block', lineClamp: lines, wordBreak: 'break-word', direction }
  return element('div', { style: { ...clamped, ...style } }, words.replace(shapeless, ' '))
}
