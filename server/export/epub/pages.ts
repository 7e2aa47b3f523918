import { escaped } from './xhtml.ts'

/** A page of the book: its file, what the contents call it, and the pages below it. */
export type BookPage = { path: string; title: string; hasMath?: boolean; children?: BookPage[] }

export type Picture = { path: string; id: string; isCover: boolean }

export type Book = {
  /** The id of what it was made of. */
  id: string
  title: string
  description: string
  author: string | null
  language: string
  isRightToLeft: boolean
  changedAt: Date
}

const OPF = 'http://www.idpf.org/2007/opf'
const XML = '<?xml version="1.0" encoding="utf-8"?>\n'

/** Returns a page in XHTML. */
export const pageOf = (
  book: Pick<Book, 'language' | 'isRightToLeft'>,
  title: string,
  body: string,
): string => `${XML}<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${book.language}" xml:lang="${book.language}" dir="${book.isRightToLeft ? 'rtl' : 'ltr'}">
<head><title>${escaped(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>
`

export const heading = (title: string): string => `<h1 dir="auto">${escaped(title)}</h1>`

/** Returns a plain text as paragraphs. */
export const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((one) => `<p dir="auto">${escaped(one).replaceAll('\n', '<br/>')}</p>`)
    .join('\n')

export const contentsOf = (book: Book, pages: readonly BookPage[]): string =>
  pageOf(book, 'Contents', `<nav epub:type="toc" id="toc">\n<h1>Contents</h1>\n${listOf(pages)}\n</nav>`)

const listOf = (pages: readonly BookPage[]): string =>
  `<ol>\n${pages
    .map(
      ({ path, title, children = [] }) =>
        `<li><a href="${path}" dir="auto">${escaped(title)}</a>${children.length > 0 ? listOf(children) : ''}</li>`,
    )
    .join('\n')}\n</ol>`

const flat = (pages: readonly BookPage[]): BookPage[] =>
  pages.flatMap((page) => [page, ...flat(page.children ?? [])])

/** Returns the package document: what the book is, its files, and their order. */
export function packageOf(book: Book, pages: readonly BookPage[], pictures: readonly Picture[]): string {
  const all = flat(pages)
  const idOfPage = (path: string) => path.replace('.xhtml', '')
  const modified = `${book.changedAt.toISOString().slice(0, 19)}Z`
  const items = [
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    '<item id="style" href="style.css" media-type="text/css"/>',
    ...all.map(
      ({ path, hasMath }) =>
        `<item id="${idOfPage(path)}" href="${path}" media-type="application/xhtml+xml"${hasMath ? ' properties="mathml"' : ''}/>`,
    ),
    ...pictures.map(
      ({ id, path, isCover }) =>
        `<item id="p-${id}" href="${path}" media-type="image/webp"${isCover ? ' properties="cover-image"' : ''}/>`,
    ),
  ]
  const [first, ...others] = all
  const spine = [
    ...(first ? [`<itemref idref="${idOfPage(first.path)}"/>`] : []),
    '<itemref idref="nav"/>',
    ...others.map(({ path }) => `<itemref idref="${idOfPage(path)}"/>`),
  ]
  const features = [
    'structuralNavigation',
    'tableOfContents',
    'alternativeText',
    ...(all.some(({ hasMath }) => hasMath) ? ['MathML'] : []),
  ]
  return `${XML}<package xmlns="${OPF}" version="3.0" unique-identifier="id" xml:lang="${book.language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${book.id}</dc:identifier>
<dc:title>${escaped(book.title)}</dc:title>
<dc:language>${book.language}</dc:language>
${book.author === null ? '' : `<dc:creator>${escaped(book.author)}</dc:creator>\n`}<dc:description>${escaped(book.description)}</dc:description>
<meta property="dcterms:modified">${modified}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessMode">visual</meta>
${features.map((feature) => `<meta property="schema:accessibilityFeature">${feature}</meta>`).join('\n')}
<meta property="schema:accessibilityHazard">unknown</meta>
</metadata>
<manifest>
${items.join('\n')}
</manifest>
<spine${book.isRightToLeft ? ' page-progression-direction="rtl"' : ''}>
${spine.join('\n')}
</spine>
</package>
`
}

export const CONTAINER = `${XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

export const STYLE = `body { line-height: 1.5; overflow-wrap: break-word; }
h1 { font-weight: 500; line-height: 1.2; }
img { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; font-size: 0.85em; }
blockquote { margin-inline: 1.5em 0; font-style: italic; }
table { border-collapse: collapse; }
th, td { border: 1px solid; padding: 0.2em 0.5em; text-align: start; }
.facts { font-size: 0.85em; }
.cover { text-align: center; }
.cover img { max-height: 60vh; }
.part { text-align: center; margin-top: 20%; }
`
