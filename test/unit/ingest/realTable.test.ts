import { expect, test } from 'vitest';
import type { StoreAddress } from '../../../electron/bigtable/reader.ts';
import { refuseRealTable } from '../../../electron/ingest/realTable.ts';

const store = (kind: StoreAddress['kind'], endpoint: string | null): StoreAddress => ({ kind, endpoint, project: 'p', instance: 'i', table: 'quotes', appProfile: null });

test('the embedded store and emulators on this machine take replayed prices', () => {
  expect(refuseRealTable(store('embedded', '127.0.0.1:8086'), null)).toBeNull();
  expect(refuseRealTable(store('emulator', '127.0.0.1:8086'), null)).toBeNull();
  expect(refuseRealTable(store('emulator', '[::1]:8086'), null)).toBeNull();
});

test('any other table must be named twice, exactly', () => {
  for (const address of [store('bigtable', null), store('emulator', '10.0.0.5:8086'), store('emulator', null)]) {
    expect(refuseRealTable(address, null)).toMatchObject({ code: 'BAD_INPUT', next: expect.stringContaining('--into-real-table quotes') });
    expect(refuseRealTable(address, 'Quotes')).toMatchObject({ code: 'BAD_INPUT', what: expect.stringContaining('names "Quotes"') });
    expect(refuseRealTable(address, 'quotes')).toBeNull();
  }
});
