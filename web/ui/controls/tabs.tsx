import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'

type TabsProps<Value extends string> = {
  value: Value
  onValueChange: (value: Value) => void
  className?: string
  children: ReactNode
}

/** The common parent of the tabs and their panels, which need not be adjacent. */
export function Tabs<Value extends string>({ onValueChange, ...rest }: TabsProps<Value>) {
  return <Radix.Root {...rest} onValueChange={(next) => onValueChange(next as Value)} />
}

type TabListProps = { label: string; tabs: readonly { value: string; label: string }[] }

/** Tabs; the arrow keys move between them. */
export function TabList({ label, tabs }: TabListProps) {
  return (
    <Radix.List aria-label={label} className="flex rounded-md bg-sunken p-0.5">
      {tabs.map((tab) => (
        <Radix.Trigger
          key={tab.value}
          value={tab.value}
          className="h-8 rounded-sm px-3 text-sm max-[22rem]:px-2 font-semibold text-muted hover:text-ink data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-sm pointer-coarse:h-10 forced-colors:data-[state=active]:outline-2"
        >
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
  )
}

/** The content of a tab; with `forceMount` it stays mounted, hidden, while another tab is active. */
export function TabPanel({ className = '', ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content {...rest} className={`outline-offset-4 data-[state=inactive]:hidden ${className}`} />
}
