import { type Archive, FROM_JOPLIN, readHead } from './archive.ts'
import { Refused } from './items.ts'

/** An export that is not read here: by its paths and how such a file begins, and what to do instead. */
type Foreign = {
  path: RegExp
  head: RegExp
  sentence: string
  /** Whether its files are texts. Those of others are files like any beside texts. */
  isText?: true
}

/** It is beside the notes themselves, if they are not encrypted. */
export const BACKUP_OF_STANDARD_NOTES = /(?:^|\/)Standard Notes Backup and Import File\.txt$/i

const FOREIGN: Foreign[] = [
  // Joplin calls each thing, also a tag, by its id, and ends it with its kind.
  { path: /(?:^|\/)[\da-f]{32}\.md$/, head: /^type_: \d+\s*$/m, sentence: FROM_JOPLIN, isText: true },
  {
    path: /\.enex$/i,
    head: /<en-export[\s/>]/,
    sentence:
      'This is an export of Evernote (ENEX), which is not read here: turn it into Markdown with Yarle or Joplin, or export the notes there as web pages, and pack that folder as a ZIP.',
  },
  {
    path: /\.doentry$/i,
    head: /<plist[\s>]/,
    sentence:
      'This is a journal of Day One Classic, which is not read here: open it in the present Day One, and export it there as JSON.',
  },
  {
    path: /^[^/]*(?:\/[^/]*)?\.txt$/i,
    head: /^\s*Date:\t/,
    isText: true,
    sentence:
      'This is an export of Day One as plain text, which has no pictures and no borders between entries: export it there as JSON.',
  },
  {
    path: /\.json$/i,
    head: /"date_journal"\s*:\s*\d/,
    sentence:
      'This is an export of Journey, which is not read here: save its entries as Markdown, web pages or plain text, and pack that folder as a ZIP.',
  },
  {
    path: BACKUP_OF_STANDARD_NOTES,
    head: /^\s*\{\s*"(?:version"\s*:\s*"\d+"\s*,\s*"items|items)"\s*:\s*\[/,
    sentence:
      'This is a backup of Standard Notes, which is not read here: a decrypted backup has a folder “Items” beside it, which can be packed as a ZIP.',
  },
  {
    path: /\.json$/i,
    head: /^\s*\[\s*\{[^[\]]{0,2000}"(?:children|create-time|edit-time|:block\/uid)"\s*:/,
    sentence:
      'This is an export of Roam as JSON, which is not read here: export it there as Markdown, and pack that folder as a ZIP.',
  },
  {
    path: /\.(?:json|tid|html?)$/i,
    head: /^\s*\[\s*\{[^{}]{0,5000}"created"\s*:\s*"\d{17}"/,
    sentence:
      'This is an export of TiddlyWiki, which is not read here: export its tiddlers as web pages, and pack that folder as a ZIP.',
  },
  {
    path: /\.opml$/i,
    head: /<opml[\s>]/i,
    sentence:
      'This is an outline (OPML), which is not read here: save it as Markdown in the program that it is from.',
  },
  {
    path: /(?:^|\/)data\/tweets?\.js$/i,
    head: /^window\.YTD\./,
    isText: true,
    sentence:
      'This is an archive of Twitter or X, which is not read here: turn it into Markdown with twitter-archive-parser, and pack that folder as a ZIP.',
  },
]

const HEAD_BYTES = 65_536
const TEXT = /\.(?:md|markdown|txt|html?)$/i

/** Throws Refused, with the way to bring it, for an export that is known and not read here. */
export async function refuseForeignExport({ items }: Archive): Promise<void> {
  const texts = items.filter(({ path }) => TEXT.test(path) && !BACKUP_OF_STANDARD_NOTES.test(path))
  for (const { path, head, sentence, isText } of FOREIGN) {
    if (!isText && texts.length > 0) continue
    const first = items.find((item) => path.test(item.path))
    if (first && head.test(await readHead(first, HEAD_BYTES))) throw new Refused(sentence)
  }
}
