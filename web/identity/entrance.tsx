import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { GoogleButton } from './google-button.tsx'
import { TrailPanel } from './trail-panel.tsx'

type EntranceProps = {
  title: string
  lede: string
  /** What to know before signing in. */
  notice?: string | undefined
  fault: string | null
  onFault: (text: string | null) => void
  onSubmit: (event: FormEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
  /** The fields, down to the button that sends them. */
  children: ReactNode
  /** The way to the other entrance. */
  otherwise: ReactNode
}

/** The frame of the two screens by which people come in: what went wrong on top, then the ways in. */
export function Entrance(props: EntranceProps) {
  const { title, lede, notice, fault, onFault, onSubmit, onKeyDown, children, otherwise } = props
  return (
    <div className="mx-auto grid max-w-wide grid-cols-1 gap-16 px-4 py-8 sm:px-6 sm:py-12 lg:min-h-[calc(100dvh-var(--spacing-nav))] lg:grid-cols-2 lg:items-center">
      <div className="mx-auto w-full min-w-0 max-w-narrow">
        <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-2 mb-7 text-muted">{lede}</p>
        {notice && !fault && (
          <Banner tone="info" className="mb-5">
            {notice}
          </Banner>
        )}
        {fault && <Banner className="mb-5">{fault}</Banner>}
        <noscript>
          <Banner tone="info" className="mb-5">
            Signing in needs JavaScript, which this browser has switched off. Public projects can be read
            without it.
          </Banner>
        </noscript>
        <GoogleButton onFault={onFault} />
        <div className="my-6 flex items-center gap-3 text-sm text-muted">
          <span className="h-px flex-1 bg-line" />
          or with your email
          <span className="h-px flex-1 bg-line" />
        </div>
        {/* POST, so that not even a browser that sends it by itself puts a password into an address. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from its fields */}
        <form
          method="post"
          noValidate
          onSubmit={onSubmit}
          onKeyDown={onKeyDown}
          className="flex flex-col gap-5"
        >
          {children}
        </form>
        <p className="mt-7 text-center text-sm text-muted">{otherwise}</p>
      </div>
      <TrailPanel />
    </div>
  )
}

/** The class of the links in an entrance. */
export const linkClass = 'font-semibold text-accent underline-offset-4 hover:underline'

/** The address of the other entrance, which leads on to the same place. */
export function keepingRedirect(path: '/login' | '/register', search: URLSearchParams): string {
  const redirect = search.get('redirect')
  return redirect === null ? path : `${path}?${new URLSearchParams({ redirect })}`
}
