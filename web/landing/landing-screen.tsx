import type { CachedParams } from '#contract/rendering.ts'
import { PublicHead } from '#web/shell/public-head.tsx'
import type { Route } from './+types/landing-screen'
import { Closing } from './closing.tsx'
import { Features } from './features.tsx'
import { Footer } from './footer.tsx'
import { Hero } from './hero.tsx'
import { StatsBand } from './stats-band.tsx'
import { VoicesSection } from './voices-section.tsx'
import './landing.css'

const TITLE = 'Track Your Journey, Celebrate Progress'
const DESCRIPTION =
  'A journal for the things that take months: mark the milestones of a project, write down what happens between them, and share the story.'

export const cachedParams: CachedParams = {}

export function loader({ request }: Route.LoaderArgs) {
  return { canonical: new URL('/', request.url).href, year: new Date().getUTCFullYear() }
}

export default function LandingScreen({ loaderData: { canonical, year } }: Route.ComponentProps) {
  return (
    <>
      <PublicHead
        title={TITLE}
        description={DESCRIPTION}
        canonical={canonical}
        about={[{ '@type': 'WebSite', name: 'Milepost', url: canonical, description: DESCRIPTION }]}
      />
      <Hero title={TITLE} />
      <StatsBand />
      <Features />
      <VoicesSection />
      <Closing />
      <Footer year={year} />
    </>
  )
}
