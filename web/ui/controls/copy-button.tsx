import { clsx } from 'clsx'
import { Check, Copy } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from './button.tsx'

const CONFIRMATION_MS = 2000

type CopyButtonProps = { text: string; label?: string; className?: string } & Pick<
  ComponentProps<typeof Button>,
  'size' | 'variant'
>

/** A button that copies its text and confirms that for two seconds. */
export function CopyButton({ text, label = 'Copy', size = 'sm', variant, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)

  useEffect(() => {
    if (!outcome) return undefined
    const timer = setTimeout(() => setOutcome(null), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    setOutcome((await copyText(text)) ? 'copied' : 'failed')
  }

  return (
    <Button
      size={size}
      variant={variant}
      className={clsx('noscript:hidden', className)}
      icon={outcome === 'copied' ? <Check /> : <Copy />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">
        {outcome === 'copied' ? 'Copied!' : outcome === 'failed' ? 'Copying failed' : label}
      </span>
    </Button>
  )
}

/** Copies text to the clipboard; on plain http, which has no clipboard API, by a selection. Returns whether it succeeded. */
async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyBySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const holder = document.createElement('textarea')
  const focused = document.activeElement
  holder.value = text
  holder.className = 'sr-only'
  // Inside an open dialog, whose focus trap would undo a selection outside of it.
  const container = focused?.closest('[role="dialog"]') ?? document.body
  container.append(holder)
  holder.select()
  const copied = document.execCommand('copy')
  holder.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
