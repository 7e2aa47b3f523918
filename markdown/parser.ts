import MarkdownIt from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { autolinks } from './autolinks.ts'
import { boundComplexity, NESTING_MAX } from './bounds.ts'
import { callouts } from './callouts.ts'
import { footnoteMarkup } from './footnotes.ts'
import { headings } from './headings.ts'
import { linksAndImages } from './links.ts'
import { math } from './math.ts'
import { scrollingBlocks } from './scrolling.ts'
import { strikethrough } from './strikethrough.ts'
import { taskLists } from './tasks.ts'
import { videos } from './videos.ts'
import { wordsOf } from './words.ts'

/** CommonMark with GitHub's extensions, footnotes, formulas, callouts and videos; raw HTML is text. */
export const parser = createParser()

function createParser() {
  const md = new MarkdownIt({ html: false, maxNesting: NESTING_MAX })
  // Addresses are only percent-encoded; what may be a link's target is decided in links.ts.
  md.normalizeLink = (url) => md.utils.lib.mdurl.encode(url)
  md.normalizeLinkText = (text) => text
  md.validateLink = () => true
  md.renderer.renderInlineAsText = (tokens) => wordsOf(tokens ?? [])
  return md
    .use(footnotes)
    .use(boundComplexity)
    .use(strikethrough)
    .use(autolinks)
    .use(math)
    .use(callouts)
    .use(taskLists)
    .use(headings)
    .use(linksAndImages)
    .use(videos)
    .use(scrollingBlocks)
    .use(footnoteMarkup)
}
