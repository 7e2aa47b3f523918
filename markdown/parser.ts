import MarkdownIt from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { autolinks } from './autolinks.ts'
import { boundComplexity, NESTING_MAX } from './bounds.ts'
import { footnoteMarkup } from './footnotes.ts'
import { headings } from './headings.ts'
import { linksAndImages } from './links.ts'
import { scrollingBlocks } from './scrolling.ts'
import { strikethrough } from './strikethrough.ts'
import { taskLists } from './tasks.ts'

/** CommonMark with GitHub's extensions and footnotes; raw HTML is text. */
export const parser = createParser()

function createParser() {
  const md = new MarkdownIt({ html: false, maxNesting: NESTING_MAX })
  // Addresses are only percent-encoded; what may be a link's target is decided in links.ts.
  md.normalizeLink = (url) => md.utils.lib.mdurl.encode(url)
  md.normalizeLinkText = (text) => text
  md.validateLink = () => true
  return md
    .use(footnotes)
    .use(boundComplexity)
    .use(strikethrough)
    .use(autolinks)
    .use(taskLists)
    .use(headings)
    .use(linksAndImages)
    .use(scrollingBlocks)
    .use(footnoteMarkup)
}
