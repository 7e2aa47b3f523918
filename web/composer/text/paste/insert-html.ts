import type { TextHandle } from '#web/composer/text/text-handle.ts'
import { reportFailedLoad } from '#web/ui/dialogs/on-demand.tsx'

/** Larger HTML, as of pictures in it, is left out. */
const HTML_MAX = 6_000_000

/** Returns the HTML of a transfer that has nothing else: neither text nor files. */
export function onlyHtml(transfer: DataTransfer | null): string | null {
  if (!transfer || transfer.files.length > 0 || transfer.getData('text/plain') !== '') return null
  const html = transfer.getData('text/html')
  return html.trim() === '' || html.length > HTML_MAX ? null : html
}

type TakeFiles = (files: readonly File[], text: TextHandle) => unknown

/** Inserts HTML as Markdown at the caret, because without its text there is nothing else to insert; pictures in it are added as files. */
export async function insertHtml(html: string, text: TextHandle, takeFiles: TakeFiles): Promise<void> {
  try {
    const { htmlToMarkdown, picturesWithin } = await import('./html-to-markdown.ts')
    const pictures = picturesWithin(html)
    const markdown = htmlToMarkdown(html)
    if (markdown) text.insertAtCaret(markdown)
    if (pictures.length > 0) takeFiles(pictures, text)
  } catch {
    reportFailedLoad()
  }
}
