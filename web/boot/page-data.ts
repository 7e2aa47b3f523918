import type { FoundInvitation } from '#contract/rendering.ts'
import type { ServerOptions } from '#web/api/server-options.ts'

/** What the document of a screen tells its scripts, as JSON. */
export type PageData = {
  options: ServerOptions
  /** The invitation of its URL. */
  invitation?: FoundInvitation | undefined
  files: ScreenFiles
}

/** The URLs of the built files. */
export type ScreenFiles = {
  styles: string
  client: string
  /** Those of the screens and layouts besides `client` and what that imports. Empty in development. */
  others: readonly string[]
  /** By the file of a screen or layout: the indexes in `others` of what it needs. */
  screens: Readonly<Record<string, readonly number[]>>
}

const ID = 'page-data'

/** The id and the text of the element; it may contain texts of administrators. */
export const pageDataElement = (data: PageData) => ({
  id: ID,
  text: JSON.stringify(data).replaceAll('<', '\\u003c'),
})

let read: PageData | undefined

/** Returns the data of the document. React may create the element again without it, so it is read once. */
export function pageData(): PageData {
  read ??= JSON.parse(document.getElementById(ID)?.textContent ?? '') as PageData
  return read
}
