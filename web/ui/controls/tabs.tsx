import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type TabsProps<Value extends string> = {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  /** A toolbar beside the tabs, or below them on narrow screens. */
  tools?: ReactNode
  /** `keep`: the content stays mounted, hidden, while another tab is active. */
  tabs: readonly { value: Value; label: string; content: ReactNode; keep?: true }[]
}

/** Tabs; the arrow keys move between them. */
export function Tabs<Value extends string>({ label, value, onValueChange, tools, tabs }: TabsProps<Value>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onValueChange(next as Value)}>
      <div className="flex flex-wrap items-end justify-between gap-x-4 border-b border-line">
        <Radix.List aria-label={label} className="flex gap-5">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px border-b-2 border-transparent px-0.5 py-2 text-sm font-semibold text-muted hover:text-ink data-[state=active]:border-accent forced-colors:data-[state=inactive]:border-b-0 data-[state=active]:text-ink"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {tools}
      </div>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          forceMount={tab.keep}
          className="pt-3 outline-offset-4 data-[state=inactive]:hidden"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
