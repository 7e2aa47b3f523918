import { clsx } from 'clsx'
import { Eye, Globe, Link2, Moon, Pencil, Search, Shield, Sun } from 'lucide-react'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Badge, TagChip } from '#web/ui/layout/badge.tsx'

const source = ['## Day 41', 'The joint **held**.', '- [x] glue', '- [x] clamps', '- [ ] patience']

/** Illustrates writing: an entry as Markdown, rendered, and found by a search. */
export function JournalPicture() {
  return (
    <div className="max-w-md">
      <div className="flex h-11 items-center gap-2.5 rounded-lg border border-edge bg-raised px-3.5 shadow-sm">
        <Search className="size-4 shrink-0 text-muted" />
        <span>patience</span>
        <span className="ml-auto truncate text-sm text-muted">1 of 38 entries</span>
      </div>
      <div className="mt-3 grid grid-cols-1 overflow-hidden rounded-lg border border-line shadow-md sm:grid-cols-2">
        <div className="overflow-hidden bg-sunken p-5 font-mono text-sm/7 text-muted">
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
          <div className="mt-3 flex flex-wrap gap-1.5">
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

const projects = [
  { title: 'The old canoe', text: 'Strip it, patch it, paint it, and be on the lake by June.', progress: 80 },
  { title: 'Counterpoint', text: 'Two voices first. Then three. Then perhaps a fugue.', progress: 33 },
]

/** Illustrates projects: two overlapping project cards. */
export function ProjectsPicture() {
  return (
    <div className="max-w-md pb-2">
      {projects.map(({ title, text, progress }) => (
        <div
          key={title}
          className="rounded-lg border border-line bg-raised p-5 shadow-md first:mr-10 last:-mt-6 last:ml-10 last:shadow-lg"
        >
          <p className="font-reading text-lg font-medium">{title}</p>
          <p className="mt-1 text-sm text-muted">{text}</p>
          <ProgressBar value={progress} className="mt-3" />
        </div>
      ))}
    </div>
  )
}

const crew = [
  {
    who: 'The sailmaker',
    initial: 'S',
    badge: (
      <Badge tone="admin" icon={<Shield />}>
        admin
      </Badge>
    ),
  },
  {
    who: 'The carpenter',
    initial: 'C',
    badge: (
      <Badge tone="editor" icon={<Pencil />}>
        editor
      </Badge>
    ),
  },
  {
    who: 'The harbour master',
    initial: 'H',
    badge: (
      <Badge tone="viewer" icon={<Eye />}>
        viewer
      </Badge>
    ),
  },
]

/** Illustrates collaboration: members with their roles, and a notification. */
export function CollaborationPicture() {
  return (
    <div className="max-w-md">
      <ul className="divide-y divide-line rounded-lg border border-line bg-raised shadow-md">
        {crew.map(({ who, initial, badge }) => (
          <li key={who} className="flex flex-wrap items-center gap-3 px-4 py-3">
            <span className="grid size-8 place-items-center rounded-full bg-sunken text-sm font-semibold">
              {initial}
            </span>
            <span className="mr-auto font-medium">{who}</span>
            {badge}
          </li>
        ))}
      </ul>
      <div className="relative -mt-2 mr-4 ml-auto flex w-fit items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3 shadow-lg">
        <span className="mt-1.5 size-2 rounded-full bg-accent" />
        <p className="text-sm">
          The carpenter accepted your invitation
          <span className="block text-muted">5m ago</span>
        </p>
      </div>
    </div>
  )
}

/** Illustrates sharing: a public project and its link. */
export function SharingPicture() {
  return (
    <div className="max-w-md rounded-lg border border-line bg-raised shadow-md">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 text-sm text-muted">
        <Link2 className="size-4" />
        <span>/world/a-pond-for-frogs</span>
        <span className="ml-auto rounded-md bg-success-soft px-2 py-0.5 text-xs font-semibold text-success">
          Copied!
        </span>
      </div>
      <div className="p-6">
        <Badge tone="success" icon={<Globe />}>
          Public Project
        </Badge>
        <p className="mt-3 font-reading text-2xl font-medium">A pond for frogs</p>
        <p className="mt-1 text-sm text-muted">Created by a pond digger</p>
        <svg viewBox="0 0 320 44" fill="none" className="mt-5 w-full">
          <path d="M10 30C50 30 60 12 100 14" className="stroke-ink" strokeWidth="2.5" />
          <path d="M100 14c44 2 52 22 96 20" className="stroke-ink" strokeWidth="2.5" />
          <path
            d="M196 34c50-2 60-22 112-22"
            className="stroke-edge [stroke-dasharray:1_7]"
            strokeWidth="2.5"
            strokeLinecap="round"
          />
          <circle cx="10" cy="30" r="6" className="fill-ink" />
          <circle cx="100" cy="14" r="6" className="fill-ink" />
          <circle cx="196" cy="34" r="10" className="fill-accent-soft" />
          <circle cx="196" cy="34" r="6" className="fill-accent" />
          <circle cx="308" cy="12" r="6" className="fill-raised stroke-edge" strokeWidth="2.5" />
        </svg>
      </div>
    </div>
  )
}

/** Illustrates themes: the same page in light and dark. */
export function ThemesPicture() {
  return (
    <div className="flex max-w-md pb-6">
      <Phone scheme="light" />
      <Phone scheme="dark" />
    </div>
  )
}

function Phone({ scheme }: { scheme: 'light' | 'dark' }) {
  const Icon = scheme === 'light' ? Sun : Moon
  return (
    <div
      className={clsx(
        'w-1/2 max-w-44 rounded-xl border-4 border-line bg-surface p-4 text-ink shadow-lg',
        scheme === 'light' ? 'scheme-light' : '-ml-3 translate-y-6 scheme-dark',
      )}
    >
      <Icon className="ml-auto size-4 text-muted" />
      <p className="mt-3 font-reading font-medium">Every station of the night train</p>
      <ProgressBar value={60} className="mt-3" />
      <div className="mt-4 flex flex-col gap-2.5">
        {['Vienna', 'Villach', 'Udine', 'Venice'].map((station, index) => (
          <p key={station} className="flex items-center gap-2.5 text-sm">
            <span
              className={clsx(
                'size-2.5 rounded-full border-2',
                index < 3 ? 'border-ink bg-ink' : 'border-edge',
              )}
            />
            {station}
          </p>
        ))}
      </div>
    </div>
  )
}
