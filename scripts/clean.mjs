// Removes the previous TypeScript build, so that a deleted source file leaves no module behind.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
