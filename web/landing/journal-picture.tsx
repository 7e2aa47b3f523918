import { Search } from 'lucide-react'
import { TagChip } from '#web/ui/tag-chip.tsx'

const source = ['## Day 41', 'The joint **held**.', '- [x] glue', '- [x] clamps', '- [ ] patience']

/** An entry as it is written and as it is read, found by a word of it. */
export function JournalPicture() {
  return (
    <div className="max-w-md">
      <div className="flex h-11 items-center gap-2.5 rounded-lg border border-edge bg-raised px-3.5 shadow-sm">
        <Search className="size-4 text-muted" />
        <span>patience</span>
        <span className="ml-auto text-sm text-muted">1 of 38 entries</span>
      </div>
      <div className="mt-3 grid overflow-hidden rounded-lg border border-line shadow-md sm:grid-cols-2">
        <div className="bg-sunken p-5 font-mono text-sm/7 text-muted">
          {source.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <div className="bg-raised p-5">
          <p className="font-reading text-lg font-medium">Day 41</p>
          <p className="mt-1 font-reading">
            The joint <strong className="font-semibold">held</strong>.
          </p>
          <ul className="mt-2 flex flex-col gap-1 font-reading">
            <Task done>glue</Task>
            <Task done>clamps</Task>
            <Task>
              <mark className="rounded-sm bg-accent-soft px-1 text-ink">patience</mark>
            </Task>
          </ul>
          <div className="mt-3 flex gap-1.5">
            <TagChip tag="joinery" />
            <TagChip tag="chair" />
          </div>
        </div>
      </div>
    </div>
  )
}

function Task({ done = false, children }: { done?: boolean; children: React.ReactNode }) {
  return (
    <li className="flex items-center gap-2.5">
      <span className={`size-3.5 rounded-full border-2 ${done ? 'border-ink bg-ink' : 'border-edge'}`} />
      <span>{children}</span>
    </li>
  )
}
