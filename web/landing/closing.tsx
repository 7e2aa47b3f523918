import { useSession } from '#web/identity/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'

/** The end of the page and the beginning of a project; always by night, as a map under a lamp. */
export function Closing() {
  const { user } = useSession()
  return (
    <section className="relative isolate overflow-hidden bg-surface text-ink scheme-dark" data-print="hidden">
      <div className="clearing absolute inset-0 -z-10" aria-hidden="true">
        <div className="contours h-full text-edge opacity-45" />
      </div>
      <div className="mx-auto flex max-w-wide flex-col items-center px-4 py-20 text-center sm:px-6 lg:py-28">
        <h2 className="max-w-[22ch] text-display font-semibold tracking-tight">
          The first marker is yours to set
        </h2>
        <p className="mt-5 max-w-[34rem] text-lg text-muted">
          Name the thing you have been meaning to do. The second milestone is easier to see from the first.
        </p>
        {user ? (
          <LinkButton to="/markdown-guide" variant="primary" size="lg" className="mt-9">
            Explore Markdown Guide
          </LinkButton>
        ) : (
          <LinkButton to="/register" variant="primary" size="lg" className="mt-9">
            Get Started for Free
          </LinkButton>
        )}
      </div>
    </section>
  )
}
