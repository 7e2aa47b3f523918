import { Download } from 'lucide-react'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { FeedSubscription, feedLinkClass } from './feed/feed-links.tsx'
import { publicDownloadPath, publicFeedPath, publicFollowPath } from './paths.ts'

type AboutProjectProps = { project: { _id: string; offersDownloads: boolean } }

/** Explains Milepost to readers of a public project or entry. */
export function AboutProject({ project: { _id: projectId, offersDownloads } }: AboutProjectProps) {
  return (
    <aside
      aria-labelledby="about-title"
      className="mt-16 flex flex-wrap items-center justify-between gap-x-10 gap-y-5 rounded-xl border border-line bg-sunken p-6 sm:p-8"
      data-print="hidden"
      data-online
    >
      <div className="max-w-[36rem]">
        <h2 id="about-title" className="text-lg font-semibold">
          About This Project
        </h2>
        <p className="mt-1 text-muted">
          Its owner writes it down in Milepost, milestone by milestone, and lets everybody read along.
        </p>
        <FeedSubscription pathOf={(format) => publicFeedPath(projectId, format)}>
          <a
            href={publicFollowPath(projectId)}
            className="rounded-sm py-1 underline decoration-edge underline-offset-4 hover:text-accent pointer-coarse:py-2.5"
          >
            What is a feed?
          </a>
        </FeedSubscription>
        {offersDownloads && <Downloads projectId={projectId} />}
      </div>
      <div className="flex min-w-0 flex-wrap gap-2.5">
        <LinkButton to="/" variant="primary">
          Create your own journal
        </LinkButton>
        <LinkButton to="/markdown-guide">Markdown guide</LinkButton>
      </div>
    </aside>
  )
}

/** Links to what readers may take with them. */
function Downloads({ projectId }: { projectId: string }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-sm text-muted">
      <span className="inline-flex items-center gap-2">
        <Download className="size-4 shrink-0" aria-hidden="true" />
        Take it with you
      </span>
      <a href={publicDownloadPath(projectId, 'epub')} rel="nofollow" download className={feedLinkClass}>
        E-book (EPUB)
      </a>
      <a href={publicDownloadPath(projectId, 'site')} rel="nofollow" download className={feedLinkClass}>
        Website (ZIP)
      </a>
    </p>
  )
}
