import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { useServerOptions } from '#web/api/server-options.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { IssuerButton } from './issuer-button.tsx'
import { NarrowPageLayout } from './narrow-page-layout.tsx'

type AuthPageLayoutProps = {
  title: string
  lede: string
  /** An information banner above the form. */
  notice?: string | undefined
  error: string | null
  onError: (text: string | null) => void
  onSubmit: (event: FormEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
  /** Another sign-in method, below the issuer's. */
  otherWay?: ReactNode
  /** The title of the document. */
  screen: string
  /** The fields and the submit button. */
  children: ReactNode
  /** The link to the other auth page. */
  alternative: ReactNode
}

/**
 * The layout of the sign-in and registration screens: an error banner, the button of the issuer and, unless people sign in only
 * through an issuer, the form.
 */
export function AuthPageLayout(props: AuthPageLayoutProps) {
  const {
    screen,
    title,
    lede,
    notice,
    error,
    onError,
    otherWay,
    onSubmit,
    onKeyDown,
    children,
    alternative,
  } = props
  const isIssuerOnly = useServerOptions()?.identity.issuerOnly
  return (
    <NarrowPageLayout>
      <ScreenTitle>{screen}</ScreenTitle>
      <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-2 mb-6 text-balance text-muted max-sm:mt-1 max-sm:mb-5">{lede}</p>
      {notice && !error && (
        <Banner tone="info" className="mb-5">
          {notice}
        </Banner>
      )}
      {error && <Banner className="mb-5">{error}</Banner>}
      <noscript>
        <Banner tone="info" className="mb-5">
          Signing in needs JavaScript, which this browser has switched off. Public projects can be read
          without it.
        </Banner>
      </noscript>
      <IssuerButton isFailed={error !== null} onError={onError} />
      {otherWay}
      {isIssuerOnly ? (
        <p className="mt-4 text-center text-sm text-muted">
          That is the only way to sign in to this server: it has no passwords.
        </p>
      ) : (
        <>
          <div className="my-5 flex items-center gap-3 text-sm text-muted max-sm:my-3.5">
            <span className="h-px flex-1 bg-line" />
            or with your email
            <span className="h-px flex-1 bg-line" />
          </div>
          {/* POST, so that the password never appears in a URL, even if the browser submits the form natively. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from its fields */}
          <form
            method="post"
            noValidate
            onSubmit={onSubmit}
            onKeyDown={onKeyDown}
            className="flex flex-col gap-4 max-sm:gap-3.5"
          >
            {children}
          </form>
        </>
      )}
      <p className="mt-6 text-center text-sm text-muted">{alternative}</p>
    </NarrowPageLayout>
  )
}

/** The class of the links of the auth pages. */
export const linkClass = 'font-semibold text-accent underline-offset-4 hover:underline'
