import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './clipboard.ts'

const CONFIRMATION_MS = 2000

type CopyButtonProps = { text: string; label?: string; size?: 'sm' | 'md'; className?: string }

/** Copies its text and says for two seconds that it did. */
export function CopyButton({ text, label = 'Copy', size = 'sm', className }: CopyButtonProps) {
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
      className={className}
      icon={outcome === 'copied' ? <Check /> : <Copy />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">
        {outcome === 'copied' ? 'Copied!' : outcome === 'failed' ? 'Copying failed' : label}
      </span>
    </Button>
  )
}
