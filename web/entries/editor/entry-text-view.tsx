import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import type { EntryText } from './entry-draft.ts'

/** The text of an entry as plain Markdown, for comparison with another version. */
export function EntryTextView({ text }: { text: EntryText }) {
  return (
    <div className="flex flex-col gap-2.5">
      <p className="font-reading text-lg leading-snug font-medium">{text.title}</p>
      <p className="text-sm leading-6 whitespace-pre-wrap">{text.content}</p>
      <EntryTags tags={text.tags} />
    </div>
  )
}
