import { clsx } from 'clsx'
import { Check, Copy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { copyFrom } from './copy.ts'

type CopyButtonProps = { text: string; label?: string; className?: string } & Pick<
  ComponentProps<typeof Button>,
  'size' | 'variant'
>

/** A button that copies its text and confirms that for two seconds. On public pages `islands/main.ts` makes it work. */
export function CopyButton({ text, label = 'Copy', size = 'sm', variant, className }: CopyButtonProps) {
  return (
    <Button
      size={size}
      variant={variant}
      className={clsx('group/copy noscript:hidden', className)}
      data-copy={text}
      icon={
        <>
          <Copy className="group-data-[outcome=copied]/copy:hidden" aria-hidden="true" />
          <Check className="hidden group-data-[outcome=copied]/copy:block" aria-hidden="true" />
        </>
      }
      onClick={({ currentTarget }) => void copyFrom(currentTarget)}
    >
      <span aria-live="polite">
        <span className="group-data-outcome/copy:hidden">{label}</span>
        <span data-message />
      </span>
    </Button>
  )
}
