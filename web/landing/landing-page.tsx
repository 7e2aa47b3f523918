import type { RegistrationMode } from '#contract/identity.ts'
import { PublicHead } from '#web/head/public-head.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { ForMembers, ForVisitors } from '#web/ui/layout/audience.tsx'
import { Wordmark } from '#web/ui/layout/logo.tsx'
import { Contours } from './contours.tsx'
import { Features } from './features.tsx'
import { Hero } from './hero.tsx'
import { StatsBand } from './stats-band.tsx'
import { VoicesSection } from './voices-section.tsx'

const TITLE = 'Track Your Journey, Celebrate Progress'
const DESCRIPTION =
  'A journal for the things that take months: mark the milestones of a project, write down what happens between them, and share the story.'

type LandingPageProps = { origin: string; year: number; registration: RegistrationMode | undefined }

export function LandingPage({ origin, year, registration }: LandingPageProps) {
  const canonical = new URL('/', origin).href
  return (
    <>
      <PublicHead
        title={TITLE}
        description={DESCRIPTION}
        canonical={canonical}
        about={[{ '@type': 'WebSite', name: 'Milepost', url: canonical, description: DESCRIPTION }]}
      />
      <Hero title={TITLE} registration={registration} />
      <StatsBand />
      <Features />
      <VoicesSection />
      <Closing />
      <Footer year={year} />
    </>
  )
}

/** The closing call to action, always in the dark theme. */
function Closing() {
  return (
    <section className="relative isolate overflow-hidden bg-surface text-ink scheme-dark" data-print="hidden">
      <div className="clearing absolute inset-0 -z-10" aria-hidden="true">
        <Contours className="opacity-45" />
      </div>
      <div className="mx-auto flex max-w-wide flex-col items-center px-4 py-20 text-center sm:px-6 lg:py-28">
        <h2 className="max-w-[22ch] text-display font-semibold tracking-tight">
          The first marker is yours to set
        </h2>
        <p className="mt-5 max-w-[34rem] text-lg text-muted">
          Name the thing you have been meaning to do. The second milestone is easier to see from the first.
        </p>
        <ForMembers>
          <LinkButton to="/markdown-guide" variant="primary" size="lg" className="mt-9">
            Explore Markdown Guide
          </LinkButton>
        </ForMembers>
        <ForVisitors>
          <LinkButton to="/register" variant="primary" size="lg" className="mt-9">
            Get Started for Free
          </LinkButton>
        </ForVisitors>
      </div>
    </section>
  )
}

const linkClass = 'rounded-sm py-2 hover:text-ink hover:underline'

/** The footer, with the author link. */
function Footer({ year }: { year: number }) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-wide flex-wrap items-center gap-x-8 gap-y-2 px-4 py-8 text-sm text-muted sm:px-6">
        <Wordmark />
        <Link to="/markdown-guide" className={`${linkClass} ml-auto`}>
          Markdown guide
        </Link>
        <p>
          © {year}{' '}
          <Link to="/about" rel="author" className={linkClass}>
            The Milepost authors
          </Link>
        </p>
      </div>
    </footer>
  )
}
