import { clsx } from 'clsx'
import type { RegistrationMode } from '#contract/identity.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { ForMembers, ForVisitors } from '#web/ui/layout/audience.tsx'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'
import { Contours } from './contours.tsx'

type HeroProps = { title: string; registration: RegistrationMode | undefined }

/** The hero: what the product is for, the call to action, and an example project. */
export function Hero({ title, registration }: HeroProps) {
  return (
    <section className="relative isolate overflow-hidden border-b border-line">
      <div
        className="absolute inset-0 -z-10 max-lg:mask-t-from-45% max-lg:mask-t-to-70% lg:mask-l-from-30% lg:mask-l-to-90%"
        aria-hidden="true"
      >
        <Contours className="opacity-40" />
      </div>
      <div className="mx-auto grid max-w-wide items-center gap-x-16 gap-y-14 px-4 pt-14 pb-16 sm:px-6 lg:min-h-[39rem] lg:grid-cols-[1fr_27rem]">
        <div>
          <h1 className="text-display font-semibold tracking-tight">{title}</h1>
          <p className="mt-6 max-w-[33rem] text-lg text-muted">
            Milepost is a journal for the things that take months. Mark the milestones, write down what
            happens between them, and see how far you have come.
          </p>
          <SignInLinks registration={registration} />
        </div>
        <ExampleProject />
      </div>
    </section>
  )
}

const REGISTRATION_NOTES: { [mode in RegistrationMode]: string | null } = {
  open: null,
  approval: 'An administrator of this server approves each new account.',
  invitation: 'New accounts on this server need an invitation.',
  closed: 'This server takes no new accounts.',
}

function SignInLinks({ registration }: Pick<HeroProps, 'registration'>) {
  const note = registration && REGISTRATION_NOTES[registration]
  return (
    <>
      <div className="mt-9 flex flex-wrap gap-3">
        <ForMembers>
          <LinkButton to="/dashboard" variant="primary" size="lg">
            Start Journaling
          </LinkButton>
        </ForMembers>
        <ForVisitors>
          <LinkButton to="/register" variant="primary" size="lg">
            Get Started
          </LinkButton>
          <LinkButton to="/login" size="lg">
            Sign In
          </LinkButton>
        </ForVisitors>
      </div>
      {note && <p className="mt-4 text-sm text-muted in-data-session:hidden">{note}</p>}
    </>
  )
}

const milestones = [
  { title: 'A starter that lives', done: true, entries: '6 entries' },
  { title: 'A loaf that rises', done: true, entries: '9 entries' },
  {
    title: 'An open crumb',
    done: false,
    current: true,
    entries: '5 entries',
    note: 'Loaf fourteen. Wetter dough, a colder night, and there they are: the big holes.',
  },
  { title: 'Bread for the whole street', done: false, entries: 'Still ahead' },
]

/** An example of a project in progress. */
function ExampleProject() {
  return (
    <figure className="rounded-xl border border-line bg-raised p-6 shadow-lg sm:p-8">
      <figcaption className="text-sm text-muted">An example project</figcaption>
      <p className="mt-1 font-reading text-2xl font-medium">Learning to bake bread</p>
      <ProgressBar value={50} label="Progress of the example" className="mt-4 mb-6" />
      <Timeline label="Milestones of the example">
        {milestones.map(({ title, done, current, entries, note }) => (
          <TimelineItem key={title} done={done} current={current}>
            <div className={clsx('py-3', done || current ? 'text-ink' : 'text-muted')}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-semibold">{title}</span>
                <span className="text-sm text-muted">{entries}</span>
              </p>
              {note && <p className="mt-1.5 font-reading text-muted">{note}</p>}
            </div>
          </TimelineItem>
        ))}
      </Timeline>
    </figure>
  )
}
