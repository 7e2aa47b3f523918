import type { EntryText } from './entry-draft.ts'
import { EntryTags } from './entry-tags.tsx'

/** An entry's text as it is written, Markdown marks and all, to be compared with another. */
export function EntryTextView({ text }: { text: EntryText }) {
  return (
    <div className="flex flex-col gap-2.5">
      <p className="font-reading text-lg leading-snug font-medium">{text.title}</p>
      <p className="text-sm leading-6 whitespace-pre-wrap">{text.content}</p>
      <EntryTags tags={text.tags} />
    </div>
  )
}
