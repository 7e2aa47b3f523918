import type { ComponentProps } from 'react'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'

type CodeFieldProps = {
  /** A code of the app, a recovery code, or either. */
  kind: 'app' | 'recovery' | 'either'
  error?: string | undefined
} & Pick<ComponentProps<'input'>, 'value' | 'onChange' | 'ref'>

const faces = {
  app: { label: 'Code', hint: 'The six digits that your authenticator app shows now.' },
  recovery: { label: 'Recovery code', hint: 'One of the ten codes that you stored. Each works once.' },
  either: {
    label: 'Code',
    hint: 'The six digits that your authenticator app shows now, or a recovery code.',
  },
}

/** A field for a code of the second factor. Spaces are accepted, because apps show the digits in two groups. */
export function CodeField({ kind, error, ...input }: CodeFieldProps) {
  const { label, hint } = faces[kind]
  return (
    <Field label={label} hint={hint} error={error} className="w-full">
      <TextInput
        autoComplete={kind === 'recovery' ? 'off' : 'one-time-code'}
        inputMode={kind === 'app' ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono tracking-wider"
        {...input}
      />
    </Field>
  )
}
