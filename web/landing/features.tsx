import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import {
  CollaborationPicture,
  JournalPicture,
  ProjectsPicture,
  SharingPicture,
  ThemesPicture,
} from './feature-pictures.tsx'

/** The product's features, as stops along a winding trail. */
export function Features() {
  return (
    <section aria-labelledby="features" className="mx-auto max-w-wide px-4 pt-16 sm:px-6 lg:pt-24">
      <h2 id="features" className="text-3xl font-semibold tracking-tight lg:text-center">
        From the first step to the view
      </h2>
      <ol className="mt-10 lg:mt-16">
        <Stop side="left" picture={<ProjectsPicture />}>
          <Feature name="Project management">
            Give a project its milestones and tick them off one by one. The trail shows what is done, what you
            are working on, and how much is left, for every project you keep.
          </Feature>
        </Stop>
        <Stop side="right" picture={<JournalPicture />}>
          <Feature name="Rich content">
            Entries are Markdown: headings, lists, quotes, tables, code and checklists, with a preview a tap
            away and a draft that survives a closed tab.
          </Feature>
          <Feature name="Search">
            Find the day you solved it. Search titles and contents, narrow by tag, sort as you like.
          </Feature>
        </Stop>
        <Stop side="left" picture={<CollaborationPicture />}>
          <Feature name="Team collaboration">
            Invite people by their email address as viewers, editors or admins. Roles decide who may do what,
            and notifications say who joined and whose role changed.
          </Feature>
        </Stop>
        <Stop side="right" picture={<SharingPicture />}>
          <Feature name="Public sharing">
            One checkbox makes a project a page that anybody can read without an account. Send the link, or
            share it where your friends are.
          </Feature>
        </Stop>
        <Stop side="left" picture={<ThemesPicture />}>
          <Feature name="Light and dark themes">
            Paper and ink by day, lamplight by night. Milepost follows your system until you choose.
          </Feature>
          <Feature name="Ready for mobile">
            Write at the workbench, on the train or halfway up: every screen is made for a thumb, too.
          </Feature>
        </Stop>
      </ol>
      <p className="relative text-muted max-lg:pl-12 lg:pt-8 lg:text-center">
        <StopMarker reached />
        Solid ground under your notes: encryption, backups and 99.9% uptime.
      </p>
    </section>
  )
}

function Feature({ name, children }: { name: string; children: string }) {
  return (
    <div className="max-w-md">
      <h3 className="text-xl font-semibold tracking-tight">{name}</h3>
      <p className="mt-2 text-muted">{children}</p>
    </div>
  )
}

type StopProps = { side: 'left' | 'right'; picture: ReactNode; children: ReactNode }

/** A stop of the trail: text on `side` and a picture opposite; on narrow screens both beside the path. */
function Stop({ side, picture, children }: StopProps) {
  const left = side === 'left'
  return (
    <li className="relative grid grid-cols-1 gap-y-8 pb-16 max-lg:pl-12 lg:grid-cols-[1fr_9rem_1fr] lg:pb-24">
      <Path bend={left ? 'left' : 'right'} />
      <div
        className={clsx(
          'flex flex-col gap-7 lg:row-start-1',
          left ? 'lg:col-start-1 lg:items-end' : 'lg:col-start-3',
        )}
      >
        {children}
      </div>
      <div
        aria-hidden="true"
        className={clsx(
          'lg:row-start-1 lg:-mt-3',
          left ? 'lg:col-start-3' : 'lg:col-start-1 lg:justify-self-end',
        )}
      >
        {picture}
      </div>
    </li>
  )
}

/**
 * A marker on the trail, filled when `reached`. Positioned at the left edge of its relative parent, on wide screens at its
 * center.
 */
function StopMarker({ reached = false }: { reached?: boolean }) {
  return (
    <span
      className={clsx(
        'absolute top-1.5 left-3.5 size-4 -translate-x-1/2 rounded-full border-[3px] border-accent ring-4 ring-surface lg:left-1/2',
        reached ? 'bg-accent' : 'bg-surface',
      )}
      aria-hidden="true"
    />
  )
}

/** The path from this stop's marker to the next. It is stretched to the height of the stop; its stroke width is not. */
function Path({ bend }: { bend: 'left' | 'right' }) {
  return (
    <div className="absolute inset-y-0 left-0 w-7 lg:left-1/2 lg:w-36 lg:-translate-x-1/2" aria-hidden="true">
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        fill="none"
        className={clsx('absolute top-3.5 h-full w-full', bend === 'right' && '-scale-x-100')}
      >
        <path
          d="M50 0C50 22 8 26 8 52S50 78 50 100"
          vectorEffect="non-scaling-stroke"
          strokeWidth="2.5"
          strokeLinecap="round"
          className="stroke-edge [stroke-dasharray:1_7]"
        />
      </svg>
      <StopMarker />
    </div>
  )
}
