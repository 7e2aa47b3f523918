import { useSession } from '#web/identity/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { ExampleProject } from './example-project.tsx'

/** The first thing a stranger sees: what this is for, the way in, and a project that is under way. */
export function Hero({ title }: { title: string }) {
  return (
    <section className="relative isolate overflow-hidden border-b border-line">
      <div
        className="absolute inset-0 -z-10 max-lg:mask-t-from-45% max-lg:mask-t-to-70% lg:mask-l-from-30% lg:mask-l-to-90%"
        aria-hidden="true"
      >
        <div className="contours h-full text-edge opacity-40" />
      </div>
      <div className="mx-auto grid max-w-wide items-center gap-x-16 gap-y-14 px-4 pt-14 pb-16 sm:px-6 lg:min-h-[39rem] lg:grid-cols-[1fr_27rem]">
        <div>
          <h1 className="text-display font-semibold tracking-tight">{title}</h1>
          <p className="mt-6 max-w-[33rem] text-lg text-muted">
            Milepost is a journal for the things that take months. Mark the milestones, write down what
            happens between them, and see how far you have come.
          </p>
          <WaysIn />
        </div>
        <ExampleProject />
      </div>
    </section>
  )
}

function WaysIn() {
  const { user } = useSession()
  return (
    <div className="mt-9 flex flex-wrap gap-3">
      {user ? (
        <LinkButton to="/dashboard" variant="primary" size="lg">
          Start Journaling
        </LinkButton>
      ) : (
        <>
          <LinkButton to="/register" variant="primary" size="lg">
            Get Started
          </LinkButton>
          <LinkButton to="/login" size="lg">
            Sign In
          </LinkButton>
        </>
      )}
    </div>
  )
}
