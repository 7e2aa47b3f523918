import type { Entry } from '#contract/entries.ts'
import { isBlank } from '#contract/parts/characters.ts'
import { pictureField } from './links.ts'

/** Returns the name under which a person is shown. */
export const shownName = (name: string | null): string =>
  name === null || isBlank(name) ? 'Anonymous' : name.trim()

/** Presents only the name and the picture of an author, no id and no email; null if the author is unknown. */
export const presentAuthor = (name: string | null, picture: string | null = null): Entry['author'] =>
  name === null ? null : { name: shownName(name), ...pictureField(picture) }
