import { Fragment } from 'react'
import type { RefusedFollower } from '#contract/rendering.ts'
import { feedNames } from '#web/public/feed/feed-links.tsx'
import { FEED_FORMATS, publicFeedPath } from '#web/public/paths.ts'
import { buttonClass } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { FollowForm } from './follow-form.tsx'

/** An address that breaks between its parts where it does not fit on a line. */
const brokenAtSlashes = (address: string) =>
  address.split(/(?<=\/)(?!\/)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ))

type FollowOptionsProps = {
  projectId: string
  /** Any absolute URL of this site. */
  origin: string
  byEmail: boolean
  refused?: RefusedFollower | undefined
}

/** How to follow a project: by email where that is offered, and by its feed. */
export function FollowOptions({ projectId, origin, byEmail, refused }: FollowOptionsProps) {
  if (!byEmail) return <FeedOptions projectId={projectId} origin={origin} variant="primary" />
  return (
    <>
      <FollowForm projectId={projectId} refused={refused} />
      <section aria-labelledby="by-feed" className="flex flex-col gap-4 border-t border-line pt-5">
        <h3 id="by-feed" className="font-semibold">
          Or by feed
        </h3>
        <FeedOptions projectId={projectId} origin={origin} variant="secondary" />
      </section>
    </>
  )
}

type FeedOptionsProps = Pick<FollowOptionsProps, 'projectId' | 'origin'> & {
  /** The look of the button that copies the address. */
  variant: 'primary' | 'secondary'
}

/** What a feed is, its address to copy or to open in a feed reader, and its formats. */
function FeedOptions({ projectId, origin, variant }: FeedOptionsProps) {
  const addressOf = (format: (typeof FEED_FORMATS)[number]) =>
    new URL(publicFeedPath(projectId, format), origin).href
  const address = addressOf('atom')
  return (
    <>
      <p>
        A feed tells you what is new here, without an account and without an email: a feed reader, an app or a
        site of your choice, looks it up and shows each new entry.
      </p>
      <div>
        <p className="mb-1.5 text-sm font-semibold">Give this address to your feed reader</p>
        <p className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm wrap-anywhere select-all">
          {brokenAtSlashes(address)}
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <CopyButton text={address} label="Copy address" size="md" variant={variant} />
          <a href={`feed:${address}`} className={buttonClass({})}>
            Open in a feed reader
          </a>
        </div>
        <p className="mt-2 text-sm text-muted">
          Nothing opens? Then no reader on this device has taken over such links: copy the address instead.
        </p>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        The same in each format:
        {FEED_FORMATS.map((format) => (
          <a
            key={format}
            href={addressOf(format)}
            type={feedNames[format].type}
            className="rounded-sm py-1 font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent pointer-coarse:py-2.5"
          >
            {feedNames[format].name}
          </a>
        ))}
      </p>
    </>
  )
}
