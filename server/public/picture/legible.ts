import type { ReactNode } from 'react'

/** A character of a word, which must not be missing; emoji and other signs may. */
const ofWord = /[\p{L}\p{M}\p{N}]/u
/** Characters without a shape, for which no font needs a glyph. */
const shapeless = /[\p{Default_Ignorable_Code_Point}\p{White_Space}]/u

/** Returns the characters of text without glyphs that would be drawn as boxes. */
export const boxesIn = (text: string): string[] => [...text].filter((character) => !shapeless.test(character))

/**
 * Returns an element tree without the characters for which there is no glyph: signs are omitted, and so is every line with a word
 * that could not be read.
 */
export function legible(node: ReactNode, missing: ReadonlySet<string>): ReactNode {
  if (typeof node === 'string') return legibleLine(node, missing)
  if (Array.isArray(node)) return node.map((part: ReactNode) => legible(part, missing))
  if (typeof node !== 'object' || node === null || !('props' in node)) return node
  const props = node.props as { children?: ReactNode }
  return { ...node, props: { ...props, children: legible(props.children, missing) } } as ReactNode
}

function legibleLine(line: string, missing: ReadonlySet<string>): string {
  const absent = [...line].filter((character) => missing.has(character))
  if (absent.length === 0) return line
  if (absent.some((character) => ofWord.test(character))) return ''
  return [...line]
    .filter((character) => !missing.has(character))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}
