import { LinkButton } from '#web/ui/button.tsx'
import { FollowProject } from './follow-project.tsx'

/** Where this page comes from, and how to have one of one's own. */
export function AboutProject({ projectId }: { projectId: string }) {
  return (
    <aside
      aria-labelledby="about-title"
      className="mt-16 flex flex-wrap items-center justify-between gap-x-10 gap-y-5 rounded-xl border border-line bg-sunken p-6 sm:p-8"
      data-print="hidden"
    >
      <div className="max-w-[36rem]">
        <h2 id="about-title" className="text-lg font-semibold">
          About This Project
        </h2>
        <p className="mt-1 text-muted">
          Its owner writes it down in Milepost, milestone by milestone, and lets everybody read along.
        </p>
        <FollowProject projectId={projectId} />
      </div>
      <div className="flex min-w-0 flex-wrap gap-2.5">
        <LinkButton
          to="/"
          variant="primary"
          className="h-auto! min-h-10 py-1.5 text-center whitespace-normal! pointer-coarse:min-h-11"
        >
          Create your own journal
        </LinkButton>
        <LinkButton to="/markdown-guide">Markdown guide</LinkButton>
      </div>
    </aside>
  )
}
