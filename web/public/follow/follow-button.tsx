import { Mail, Rss, X } from 'lucide-react'
import { publicFollowPath } from '#web/public/paths.ts'
import { buttonClass } from '#web/ui/controls/button.tsx'
import { FollowOptions } from './follow-options.tsx'

type FollowButtonProps = {
  projectId: string
  title: string
  origin: string
  /** Whether readers can follow the project by email, too. */
  byEmail: boolean
}

/**
 * A link to the page about how to follow a project. `islands/main.ts` opens the dialog with the same instead, unless it is opened in another
 * tab.
 */
export function FollowButton(props: FollowButtonProps) {
  const { projectId, byEmail } = props
  return (
    <>
      <a
        href={publicFollowPath(projectId)}
        aria-haspopup="dialog"
        data-opens="follow"
        className={buttonClass({ variant: 'quiet' })}
      >
        {byEmail ? <Mail aria-hidden="true" /> : <Rss aria-hidden="true" />}
        {byEmail ? 'Follow' : 'Follow by feed'}
      </a>
      <FollowDialog {...props} />
    </>
  )
}

/** Looks like a `Dialog` of the app. */
function FollowDialog({ title, ...options }: FollowButtonProps) {
  return (
    <dialog
      id="follow"
      aria-labelledby="follow-title"
      className="fixed inset-0 m-0 size-full max-h-none max-w-none items-end justify-center overflow-hidden bg-scrim text-ink backdrop:bg-transparent open:flex open:animate-fade sm:items-start sm:px-6 sm:pt-[max(1.5rem,9dvh)] sm:pb-6"
    >
      <div
        data-sheet
        className="relative flex w-full flex-col overflow-y-auto overscroll-contain rounded-t-xl bg-raised shadow-lg max-sm:max-h-[92dvh] max-sm:animate-sheet sm:max-h-full sm:max-w-lg sm:animate-rise sm:rounded-xl"
      >
        <header className="sticky top-0 z-10 bg-raised px-5 pt-5 pr-14 pb-3 sm:px-6">
          <h2 id="follow-title" className="text-lg font-semibold">
            Follow This Project
          </h2>
          <p className="mt-1 text-sm text-muted">
            <bdi lang="">{title}</bdi>
          </p>
          <button
            type="button"
            aria-label="Close"
            data-closes
            className="absolute top-3.5 right-3.5 grid size-10 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <X className="size-5" aria-hidden="true" />
          </button>
        </header>
        <div className="flex flex-1 flex-col gap-5 px-5 pt-1 pb-5 sm:px-6">
          <FollowOptions {...options} />
        </div>
      </div>
    </dialog>
  )
}
