import { z } from 'zod'
import {
  characters,
  isBlank,
  isStorable,
  withLineFeeds,
  withoutByteOrderMark,
  withoutLineBreaks,
} from './characters.ts'

function bounded(text: z.ZodString, name: string, max: number) {
  return text
    .refine(isStorable, { message: `${name} contains a character that cannot be stored`, abort: true })
    .refine((value) => !isBlank(value), { message: `${name} is required`, abort: true })
    .refine((value) => characters(value) <= max, {
      message: `${name} must be at most ${max.toLocaleString('en')} characters`,
    })
    .meta({ minLength: 1, maxLength: max })
}

const text = (name: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? `${name} is required` : `${name} must be text`) })
    .overwrite(withLineFeeds)

/** A line or paragraph that a person types: trimmed, 1 to `max` characters. Its error messages begin with `name`. */
export const line = (name: string, max: number) => bounded(text(name).trim(), name, max)

/** Like `line`, but of one line: line breaks, as a program sends them, become spaces. */
export const singleLine = (name: string, max: number) =>
  bounded(text(name).overwrite(withoutLineBreaks).trim(), name, max)

/** The columns check the same limits (migration 0001). */
export const TITLE_MAX = 200
export const DESCRIPTION_MAX = 5_000

/** The title of a project, a milestone or an entry. */
export const title = singleLine('Title', TITLE_MAX)
/** The description of a project or a milestone. */
export const description = line('Description', DESCRIPTION_MAX)

/** Markdown: stored as it was typed, because leading spaces are significant; blank counts as missing. */
export const prose = (name: string, max: number) =>
  bounded(text(name).overwrite(withoutByteOrderMark), name, max)

/** A search term or another filter of a list, which is optional. */
export const search = (name: string, max: number) =>
  z
    .string({ error: `${name} must be text` })
    .overwrite(withLineFeeds)
    .trim()
    .refine(isStorable, { message: `${name} contains a character that cannot be stored` })
    .refine((text) => characters(text) <= max, { message: `${name} must be at most ${max} characters` })
    .optional()
