import { clsx } from 'clsx'
import { useState } from 'react'
import type { Person } from '#contract/people.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Menu } from '#web/ui/dialogs/menu.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'
import { LazyConfirmDialog } from '#web/ui/dialogs/on-demand.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import {
  nameOf,
  useMakeResetLink,
  useRefusePerson,
  useTurnOffPersonTwoFactor,
  useUpdatePerson,
} from './mutations.ts'
import { EmailDialog, QuotaDialog } from './person-dialogs.tsx'

/** The buttons of an account that waits for approval. */
export function Decision({ person }: { person: Person }) {
  const update = useUpdatePerson(person)
  const refuse = useRefusePerson(person)
  const name = nameOf(person)
  return (
    <div className="flex max-w-full flex-wrap gap-2">
      <Button
        size="sm"
        variant="primary"
        aria-label={`Approve ${name}`}
        disabled={refuse.isPending}
        busy={update.isPending}
        onClick={() => update.mutate({ isApproved: true })}
      >
        Approve
      </Button>
      <ConfirmButton
        size="sm"
        aria-label={`Refuse ${name}`}
        disabled={update.isPending}
        busy={refuse.isPending}
        question={`Refuse ${name}?`}
        detail="The account is deleted. Nobody is told, and they may ask again."
        verb="Refuse"
        onConfirm={() => refuse.mutate()}
      />
    </div>
  )
}

type Question = { question: string; detail: string; verb: string; harmless?: boolean }

const questions = {
  suspend: (name: string): Question => ({
    question: `Suspend ${name}?`,
    detail:
      'They are signed out everywhere at once and cannot sign in. Their projects stay as they are, public ones too.',
    verb: 'Suspend',
  }),
  appoint: (name: string): Question => ({
    question: `Make ${name} an administrator?`,
    detail:
      'They can do everything on this page, and to your account too. They cannot read private projects of others.',
    verb: 'Make administrator',
    harmless: true,
  }),
  dismiss: (name: string): Question => ({
    question: `Remove ${name} as an administrator?`,
    detail: 'Their account is otherwise unchanged.',
    verb: 'Remove',
  }),
  /** For an owner who has lost the app and the recovery codes. */
  turnOffTwoFactor: (name: string): Question => ({
    question: `Turn off two-step sign-in for ${name}?`,
    detail:
      'Make sure that the request comes from them. Their password alone then signs them in, and they are signed out everywhere.',
    verb: 'Turn off',
  }),
}

type ActionsProps = {
  person: Person
  isMe: boolean
  hasPasswords: boolean
  /** Called with a password reset link that was made, also after the row was removed. */
  onLink: (link: ResetLink) => void
}

/** The actions on an account, in a menu; only one runs at a time. */
export function Actions({ person, isMe, hasPasswords, onLink }: ActionsProps) {
  const update = useUpdatePerson(person)
  const link = useMakeResetLink(person, (token) => onLink({ name: nameOf(person), token }))
  const lost = useTurnOffPersonTwoFactor(person)
  const [asked, setAsked] = useState<{ question: Question; act: () => void } | null>(null)
  const [changing, setChanging] = useState<'quota' | 'email' | null>(null)
  const sendsMail = useServerOptions()?.identity.sendsMail ?? false
  const name = nameOf(person)
  const { state, isAdmin } = person
  const canReset = hasPasswords && (isMe || !isAdmin)
  const canChangeEmail = hasPasswords && (isMe ? !sendsMail : !isAdmin)
  const isActing = update.isPending || link.isPending || lost.isPending
  const ask = (question: Question, act: () => void) => () => setAsked({ question, act })
  const appoint = isAdmin
    ? ask(questions.dismiss(name), () => update.mutate({ isAdmin: false }))
    : ask(questions.appoint(name), () => update.mutate({ isAdmin: true }))
  return (
    <>
      {isActing && <Spinner label="Working…" />}
      {/* Its owner may begin to delete the account while a dialog is open, which stays open. */}
      {state !== 'leaving' && (
        <Menu label={`Actions for ${name}`}>
          {state === 'active' && (
            <Row off={isActing} onClick={appoint}>
              {isAdmin ? 'Remove as administrator' : 'Make administrator'}
            </Row>
          )}
          {canReset && (
            <Row off={isActing} onClick={() => link.mutate()}>
              Link for a new password
            </Row>
          )}
          {person.hasTwoFactor && !isAdmin && (
            <Row off={isActing} onClick={ask(questions.turnOffTwoFactor(name), () => lost.mutate())}>
              Turn off two-step sign-in
            </Row>
          )}
          <Row off={isActing} onClick={() => setChanging('quota')}>
            Change storage limit
          </Row>
          {canChangeEmail && (
            <Row off={isActing} onClick={() => setChanging('email')}>
              Change address
            </Row>
          )}
          {state === 'suspended' && (
            <Row off={isActing} onClick={() => update.mutate({ isSuspended: false })}>
              End the suspension
            </Row>
          )}
          {state === 'active' && !isAdmin && (
            <Row
              off={isActing}
              onClick={ask(questions.suspend(name), () => update.mutate({ isSuspended: true }))}
            >
              Suspend
            </Row>
          )}
        </Menu>
      )}
      {asked && (
        <LazyConfirmDialog
          {...asked.question}
          onConfirm={() => {
            setAsked(null)
            asked.act()
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {changing === 'quota' && <QuotaDialog person={person} onClose={() => setChanging(null)} />}
      {changing === 'email' && <EmailDialog person={person} onClose={() => setChanging(null)} />}
    </>
  )
}

function Row({ off, onClick, children }: { off: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      disabled={off}
      className={clsx(menuRowClass, 'disabled:opacity-50')}
      {...LazyConfirmDialog.preloadProps}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/** A password reset link: the name of its account, and its token. */
export type ResetLink = { name: string; token: string }

/** Shows the link once, because only its hash is stored. */
export function ResetLinkDialog({ name, token, onClose }: ResetLink & { onClose: () => void }) {
  const link = `${window.location.origin}/reset-password/${token}`
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`A new password for ${name}`} sticky>
      <DialogBody>
        <p className="text-muted">
          With this link they choose a new password. It works once, within an hour, and signs the account out
          everywhere. It is shown only this once: treat it like a password.
        </p>
        <TextInput readOnly aria-label="Link" value={link} onFocus={({ target }) => target.select()} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <CopyButton text={link} label="Copy link" size="md" variant="primary" />
      </DialogFooter>
    </Dialog>
  )
}
