import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useParams } from 'react-router'
import { z } from 'zod'
import { isCommonPassword } from '#contract/common-passwords.ts'
import { newPassword } from '#contract/identity.ts'
import { signInTexts } from '#contract/sign-in.ts'
import { ApiError, isUncertain } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { NoIndex } from '#web/head/screen-title.tsx'
import { NewPasswordField } from '#web/identity/sign-in/new-password-field.tsx'
import { useCredentials } from '#web/identity/sign-in/use-credentials.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { LinkPage, NoPasswords } from './link-page.tsx'

const headings = {
  choosing: 'Choose a new password',
  changed: 'Your password is changed',
  expired: 'This link no longer works',
  uncertain: 'Your password may be changed',
}
type Stage = keyof typeof headings

/** The screen of a password reset link. Opening it changes nothing. */
export default function ResetPasswordScreen() {
  const [stage, setStage] = useState<Stage>('choosing')
  const isIssuerOnly = useServerOptions()?.identity.issuerOnly
  const contents: Record<Stage, ReactNode> = {
    choosing: <NewPasswordForm onEnd={setStage} />,
    changed: (
      <>
        <p className="mt-2 text-muted">
          You are signed out everywhere. Sign in with the new password from now on.
        </p>
        <div className="mt-6">
          <LinkButton to="/login" variant="primary">
            Sign in
          </LinkButton>
        </div>
      </>
    ),
    expired: (
      <>
        <p className="mt-2 text-muted">It has been used, or it is older than an hour.</p>
        <div className="mt-6">
          <LinkButton to="/forgot-password" variant="primary">
            Ask for a new link
          </LinkButton>
        </div>
      </>
    ),
    uncertain: (
      <>
        <p className="mt-2 text-muted">
          This link no longer works, and we do not know whether your first try used it. Sign in with the new
          password; if that fails, ask for a new link.
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <LinkButton to="/login" variant="primary">
            Sign in
          </LinkButton>
          <LinkButton to="/forgot-password">Ask for a new link</LinkButton>
        </div>
      </>
    ),
  }
  if (isIssuerOnly)
    return (
      <LinkPage icon={KeyRound} heading={headings.expired}>
        <NoIndex />
        <NoPasswords />
      </LinkPage>
    )
  return (
    <LinkPage icon={KeyRound} heading={headings[stage]}>
      <NoIndex />
      {contents[stage]}
    </LinkPage>
  )
}

const schema = z.object({
  password: newPassword.refine((typed) => !isCommonPassword(typed), signInTexts.commonPassword),
})

function NewPasswordForm({ onEnd }: { onEnd: (stage: Stage) => void }) {
  const { token = '' } = useParams()
  const isAlive = useHydrated()
  /** Whether the response to an attempt was lost, so that the password may have been changed. */
  const [mayBeChanged, setMayBeChanged] = useState(false)
  const { form, error, submit } = useCredentials({
    schema,
    fields: ['password'],
    async send({ password }) {
      try {
        const stage = await stageAfter(request('resetPassword', { body: { token, password } }))
        onEnd(stage === 'expired' && mayBeChanged ? 'uncertain' : stage)
      } catch (error) {
        if (isUncertain(error)) setMayBeChanged(true)
        throw error
      }
    },
    toFormError: ({ message }) => ({ text: message, field: 'password' }),
    fallback: 'The password could not be changed. Please try again.',
  })
  const { errors, isSubmitting } = form.formState
  const password = useWatch({ control: form.control, name: 'password' })
  return (
    <form method="post" noValidate onSubmit={submit} className="mt-6 flex flex-col gap-5">
      <NewPasswordField
        label="New password"
        password={password}
        invalid={errors.password !== undefined}
        {...form.register('password')}
      />
      <Button type="submit" variant="primary" disabled={!isAlive} busy={isSubmitting}>
        Change password
      </Button>
      {error && <Banner>{error}</Banner>}
    </form>
  )
}

/** Returns the stage after redeeming a link; the form shows any other error. */
async function stageAfter(redeemed: Promise<void>): Promise<Stage> {
  try {
    await redeemed
    return 'changed'
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'expired' || error.code === 'not_found'))
      return 'expired'
    throw error
  }
}
