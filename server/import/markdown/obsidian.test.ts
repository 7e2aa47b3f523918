import { expect, test } from 'vitest'
import { fromObsidian } from './obsidian.ts'

test.each([
  ['> [!info]- The *keel*\n> is straight', '> [!NOTE]\n> **The *keel***  \n> is straight'],
  ['> [!danger]\n> sharp', '> [!CAUTION]\n> sharp'],
  ['> > [!hint] Inner', '> > [!TIP]\n> > **Inner**  '],
  ['> [!NOTE]\n> as on GitHub', '> [!NOTE]\n> as on GitHub'],
  ['Sanded %%not %% well ^b1', 'Sanded <!--not --> well <!-- ^b1 -->'],
  ['50% to 60%, x ^2 y', '50% to 60%, x ^2 y'],
  ['`%%a%%`\n```\n> [!info] b\n%%c%%\n```', '`%%a%%`\n```\n> [!info] b\n%%c%%\n```'],
])('%j becomes %j', (text, expected) => {
  expect(fromObsidian(text)).toBe(expected)
})
