// The contract of a log of runs: the same cases for each log. `open` gives `log`, `runId` (of a run of one's own) and
// `pass(ms)`, which lets time pass for that log.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { all, batch, bytesOf, failsWith, stored, textOf } from "./deltas.mjs";

const OWNER = { owner: "a" };
const MB = 1 << 20;

export function contract(title, { make, skip, ttlMs, endedTtlMs }) {
  describe(title, { skip }, () => {
    const rule = (name, run) =>
      test(name, async () => {
        const made = await make();
        try {
          await run(made);
        } finally {
          await made.close?.();
        }
      });

    rule("RL-1: a batch that begins where the log ends is stored whole", async ({ log, runId }) => {
      const { token, ...claim } = await log.claim(runId, OWNER);
      assert.equal(typeof token, "string");
      assert.deepEqual(claim, { epoch: 1, position: 0, snapshotAt: 0, tookOver: false });
      assert.equal(await log.append(runId, batch(0, 3, token)), "stored");
      assert.equal(await log.append(runId, batch(3, 4, token)), "stored");
      assert.equal(await log.append(runId, batch(4, 90, token)), "stored");
      const { batches, state } = await log.read(runId, 0);
      assert.deepEqual(
        batches.map(({ from, to, epoch, bytes }) => [from, to, epoch, textOf(bytes)]),
        [
          [0, 3, 1, "0-3\n"],
          [3, 4, 1, "3-4\n"],
          [4, 90, 1, "4-90\n"],
        ],
      );
      const { leaseMs, ...rest } = state;
      assert.ok(leaseMs > 0 && leaseMs <= 10_000);
      const expected = { status: "open", position: 90, epoch: 1, owner: "a", snapshotAt: 0 };
      assert.deepEqual(rest, { ...expected, began: { 1: 0 } });
    });

    rule(
      "what a reader does with the bytes that it got is its own affair",
      async ({ log, runId }) => {
        const { token } = await log.claim(runId, OWNER);
        await log.append(runId, batch(0, 3, token));
        const [{ bytes }] = (await log.read(runId, 0)).batches;
        bytes.fill(0);
        // Given to another thread, the bytes are gone here.
        if (bytes.length === bytes.buffer.byteLength)
          structuredClone(bytes, { transfer: [bytes.buffer] });
        for (let reader = 0; reader < 2; reader++) {
          const { batches } = await log.read(runId, 0);
          assert.equal(textOf(batches[0].bytes), "0-3\n");
        }
      },
    );

    rule("RL-1: an equal end is a duplicate, anything else a gap", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 5, token));
      assert.equal(await log.append(runId, batch(0, 5, token)), "duplicate");
      assert.equal(await log.append(runId, batch(2, 5, token)), "duplicate");
      for (const [from, to] of [
        [0, 4],
        [0, 6],
        [4, 6],
        [6, 8],
        [2, 3],
        [5, 4],
      ]) {
        const { details } = await failsWith("gap", log.append(runId, batch(from, to, token)));
        assert.equal(details.position, 5);
        assert.equal(details.runId, runId);
      }
      await log.append(runId, batch(5, 6, token));
      await failsWith("gap", log.append(runId, batch(0, 5, token)));
      assert.equal((await stored(log, runId)).length, 2);
    });

    rule(
      "RL-1: several on the way, of which one was lost, leave no hole",
      async ({ log, runId }) => {
        const { token } = await log.claim(runId, OWNER);
        const sent = [
          [0, 2],
          [4, 6],
          [6, 8],
        ].map(([from, to]) => log.append(runId, batch(from, to, token)));
        const answers = await Promise.allSettled(sent);
        assert.deepEqual(
          answers.map(({ value, reason }) => value ?? reason.code),
          ["stored", "gap", "gap"],
        );
        assert.deepEqual(await log.renew(runId, token), { stop: false, position: 2 });
        assert.equal(await log.append(runId, batch(2, 4, token)), "stored");
      },
    );

    rule(
      "RL-2: a claim raises the epoch by one and fences the token before",
      async ({ log, runId }) => {
        const first = await log.claim(runId, OWNER);
        await log.append(runId, batch(0, 4, first.token));
        const second = await log.claim(runId, { owner: "b", force: true });
        assert.equal(second.epoch, 2);
        assert.equal(second.tookOver, true);
        assert.equal(second.position, 4);
        assert.notEqual(second.token, first.token);
        const { token } = first;
        await failsWith("fenced", log.append(runId, batch(4, 5, token)));
        await failsWith("fenced", log.append(runId, batch(0, 4, token)));
        await failsWith("fenced", log.renew(runId, token));
        await failsWith("fenced", log.release(runId, token));
        await failsWith("fenced", log.snapshot(runId, { token, at: 4, bytes: bytesOf("s") }));
        const { details } = await failsWith("fenced", log.append(runId, batch(4, 5, token)));
        assert.equal(details.epoch, 2);
        assert.equal(await log.append(runId, batch(4, 5, second.token)), "stored");
        assert.deepEqual((await log.latest(runId)).state.began, { 1: 0, 2: 4 });
      },
    );

    rule("RL-2: the number of the epoch alone is no token", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      for (const wrong of ["1", "1.", "1.x", "", token.slice(0, -1), `${token}0`]) {
        await failsWith("fenced", log.append(runId, batch(0, 1, wrong)));
      }
      assert.equal((await log.latest(runId)).state.position, 0);
    });

    rule("RL-2: of many claims at once each has an epoch of its own", async ({ log, runId }) => {
      const owners = Array.from({ length: 20 }, (_, index) => `o${index}`);
      const claims = await Promise.all(
        owners.map((owner) => log.claim(runId, { owner, force: true })),
      );
      const epochs = claims.map(({ epoch }) => epoch).sort((a, b) => a - b);
      assert.deepEqual(
        epochs,
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
      const answers = await Promise.allSettled(
        claims.map(({ token }) => log.append(runId, batch(0, 1, token))),
      );
      assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
    });

    rule("RL-3: a claim is held while the lease runs", async ({ log, runId, pass }) => {
      const { token } = await log.claim(runId, { owner: "a", leaseMs: 300 });
      const { details } = await failsWith("held", log.claim(runId, { owner: "b" }));
      assert.equal(details.owner, "a");
      assert.equal((await log.claim(runId, { owner: "a", leaseMs: 300 })).epoch, 2);
      await failsWith("fenced", log.renew(runId, token));
      await pass(400);
      const { state } = await log.latest(runId);
      assert.equal(state.leaseMs, 0);
      const claim = await log.claim(runId, { owner: "b" });
      assert.deepEqual([claim.epoch, claim.tookOver], [3, true]);
    });

    rule(
      "RL-3: appends and renewals keep the lease, reads do not",
      async ({ log, runId, pass }) => {
        const { token } = await log.claim(runId, { owner: "a", leaseMs: 2000 });
        for (let at = 0; at < 3; at++) {
          await pass(900);
          if (at === 1) await log.renew(runId, token);
          else await log.append(runId, batch(at, at + 1, token)).catch(() => {});
          await log.latest(runId);
        }
        await log.renew(runId, token);
        await failsWith("held", log.claim(runId, { owner: "b" }));
        await pass(2100);
        await log.read(runId, 0);
        assert.equal((await log.claim(runId, { owner: "b" })).epoch, 2);
      },
    );

    rule("a lapsed lease that nobody took still writes", async ({ log, runId, pass }) => {
      const { token } = await log.claim(runId, { owner: "a", leaseMs: 50 });
      await pass(100);
      assert.equal(await log.append(runId, batch(0, 1, token)), "stored");
    });

    rule("what was released may be claimed at once", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 1, token));
      await log.release(runId, token);
      await log.release(runId, token);
      const { state } = await log.latest(runId);
      assert.deepEqual([state.owner, state.leaseMs, state.status], [undefined, 0, "open"]);
      assert.equal((await log.claim(runId, { owner: "b" })).epoch, 2);
      await failsWith("fenced", log.append(runId, batch(1, 2, token)));
    });

    for (const end of ["done", "error"]) {
      rule(`RL-4: ${end} is stored with its batch, and is the end`, async ({ log, runId }) => {
        const { token } = await log.claim(runId, OWNER);
        await log.append(runId, batch(0, 1, token));
        assert.equal(await log.append(runId, batch(1, 2, token, { end })), "stored");
        assert.equal((await log.latest(runId)).state.status, end);
        assert.equal(await log.append(runId, batch(1, 2, token, { end })), "duplicate");
        await failsWith("ended", log.append(runId, batch(2, 3, token)));
        await failsWith("ended", log.append(runId, batch(0, 1, token)));
        await failsWith("ended", log.claim(runId, OWNER));
        await failsWith("ended", log.claim(runId, { owner: "b", force: true }));
        await failsWith("ended", log.renew(runId, token));
        await log.requestStop(runId);
        assert.equal((await stored(log, runId)).length, 2);
        assert.equal((await all(log.follow(runId, 0))).length, 2);
      });
    }

    rule("after the end an old token is fenced or ended", async ({ log, runId }) => {
      const { token: old } = await log.claim(runId, OWNER);
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 2, token, { end: "done" }));
      for (const call of [log.append(runId, batch(0, 2, old)), log.renew(runId, old)]) {
        const error = await call.catch((caught) => caught);
        assert.ok(["fenced", "ended"].includes(error.code), error.code);
      }
    });

    rule("an equal end of an earlier epoch is a gap", async ({ log, runId }) => {
      const first = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 7, first.token));
      const { token } = await log.claim(runId, OWNER);
      const { details } = await failsWith("gap", log.append(runId, batch(0, 7, token)));
      assert.equal(details.position, 7);
    });

    rule("RL-6: a snapshot replaces what is stored up to it", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      for (let at = 0; at < 6; at += 2) await log.append(runId, batch(at, at + 2, token));
      await log.snapshot(runId, { token, at: 4, bytes: bytesOf("snapshot") });
      const { state, snapshot, snapshotAt } = await log.latest(runId);
      assert.deepEqual([textOf(snapshot), snapshotAt, state.snapshotAt], ["snapshot", 4, 4]);
      await failsWith("trimmed", log.read(runId, 0));
      await failsWith("trimmed", log.read(runId, 3));
      await failsWith("trimmed", all(log.follow(runId, 2)));
      assert.deepEqual(
        (await log.read(runId, 4)).batches.map(({ to }) => to),
        [6],
      );
      await log.append(runId, batch(6, 8, token));
      const claim = await log.claim(runId, OWNER);
      assert.deepEqual(
        [textOf(claim.snapshot), claim.snapshotAt, claim.position],
        ["snapshot", 4, 8],
      );
    });

    rule("RL-6: a snapshot is cut at a stored position", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const cut = (at, bytes = "s") => log.snapshot(runId, { token, at, bytes: bytesOf(bytes) });
      await failsWith("gap", cut(0));
      await log.append(runId, batch(0, 4, token));
      await log.append(runId, batch(4, 8, token));
      for (const at of [0, 2, 6, 9]) await failsWith("gap", cut(at));
      await cut(8, "new");
      // Late, or once more.
      await cut(4, "old");
      await cut(8, "again");
      const { snapshot, snapshotAt } = await log.latest(runId);
      assert.deepEqual([textOf(snapshot), snapshotAt], ["again", 8]);
      assert.deepEqual((await log.read(runId, 8)).batches, []);
      assert.equal(await log.append(runId, batch(8, 9, token)), "stored");
    });

    rule("RL-8: a stop is seen with the next renewal, and stays", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      assert.deepEqual(await log.renew(runId, token), { stop: false, position: 0 });
      await log.requestStop(runId);
      assert.deepEqual(await log.renew(runId, token), { stop: true, position: 0 });
      assert.equal(await log.append(runId, batch(0, 1, token)), "stored");
      const second = await log.claim(runId, OWNER);
      assert.equal((await log.renew(runId, second.token)).stop, true);
    });

    rule("RL-5: readers do not change the run", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 1, token, { end: "done" }));
      const before = await log.latest(runId);
      await Promise.all([all(log.follow(runId, 0)), log.read(runId, 0), log.latest(runId)]);
      assert.deepEqual(await log.latest(runId), before);
    });

    rule("read gives at most the bytes asked for, but one batch", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const bytes = new Uint8Array(1000).fill(97);
      for (let at = 0; at < 40; at++) await log.append(runId, batch(at, at + 1, token, { bytes }));
      const read = async (from, maxBytes) =>
        (await log.read(runId, from, { maxBytes })).batches.map(({ to }) => to);
      assert.deepEqual(await read(0, 10), [1]);
      assert.deepEqual(await read(0, 2999), [1, 2]);
      assert.deepEqual(await read(5, 3000), [6, 7, 8]);
      assert.equal((await read(0, 1e6)).length, 40);
      assert.deepEqual(await read(40, 1e6), []);
      assert.deepEqual(await read(99, 1e6), []);
      const followed = [];
      for await (const { to } of log.follow(runId, 10, { maxBytes: 1500 })) {
        followed.push(to);
        if (to === 20) break;
      }
      assert.deepEqual(followed, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    });

    rule("a read takes 1 MB unless it says otherwise", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const bytes = new Uint8Array(MB / 2).fill(97);
      for (let at = 0; at < 4; at++) await log.append(runId, batch(at, at + 1, token, { bytes }));
      assert.equal((await log.read(runId, 0)).batches.length, 2);
    });

    rule("bytes come back as they were, cut inside a code point", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const whole = bytesOf("a€😀\u0000é\r\n");
      for (let at = 0; at < whole.length; at++) {
        const bytes = whole.slice(at, at + 1);
        await log.append(runId, { from: at, to: at + 1, token, bytes });
        bytes.fill(0); // the log has its own copy
      }
      const found = await stored(log, runId);
      assert.deepEqual(
        found.flatMap(({ bytes }) => [...bytes]),
        [...whole],
      );
      const any = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      await log.append(runId, { from: whole.length, to: 300, token, bytes: any });
      await log.snapshot(runId, { token, at: 300, bytes: any });
      const { snapshot } = await log.latest(runId);
      assert.deepEqual(snapshot, any);
    });

    rule("follow gives what comes, and ends with the run", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const heard = [];
      const follower = (async () => {
        for await (const { to } of log.follow(runId, 0)) heard.push(to);
      })();
      const ahead = all(log.follow(runId, 2));
      for (let at = 0; at < 5; at++) await log.append(runId, batch(at, at + 1, token));
      await log.append(runId, batch(5, 6, token, { end: "done" }));
      await follower;
      assert.deepEqual(heard, [1, 2, 3, 4, 5, 6]);
      assert.deepEqual(
        (await ahead).map(({ to }) => to),
        [3, 4, 5, 6],
      );
    });

    rule("follow ends with its signal", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 1, token));
      const abort = new AbortController();
      const heard = [];
      for await (const { to } of log.follow(runId, 0, { signal: abort.signal })) {
        heard.push(to);
        setImmediate(() => abort.abort());
      }
      assert.deepEqual(heard, [1]);
      assert.deepEqual(await all(log.follow(runId, 0, { signal: abort.signal })), []);
    });

    rule("many follow one run, each from where it is", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 10, token));
      const followers = Array.from({ length: 30 }, (_, index) =>
        all(log.follow(runId, index % 15)),
      );
      await log.append(runId, batch(10, 14, token));
      await log.append(runId, batch(14, 20, token, { end: "done" }));
      for (const [index, found] of (await Promise.all(followers)).entries()) {
        const from = index % 15;
        assert.deepEqual(
          found.map(({ to }) => to),
          [10, 14, 20].filter((to) => to > from),
        );
      }
    });

    rule(
      "a run that is not there: latest says none, delete does nothing",
      async ({ log, runId }) => {
        const { state, snapshot, snapshotAt } = await log.latest(runId);
        assert.deepEqual(
          [state.status, state.position, state.epoch, snapshotAt],
          ["none", 0, 0, 0],
        );
        assert.equal(snapshot, undefined);
        await log.delete(runId);
        const bytes = bytesOf("s");
        await failsWith("unknown_run", log.append(runId, batch(0, 1, "1.x")));
        await failsWith("unknown_run", log.renew(runId, "1.x"));
        await failsWith("unknown_run", log.release(runId, "1.x"));
        await failsWith("unknown_run", log.snapshot(runId, { token: "1.x", at: 1, bytes }));
        await failsWith("unknown_run", log.read(runId, 0));
        await failsWith("unknown_run", all(log.follow(runId, 0)));
        const { details } = await failsWith("unknown_run", log.requestStop(runId));
        assert.deepEqual(details, { runId });
        assert.equal((await log.latest(runId)).state.status, "none");
      },
    );

    rule("a deleted run is forgotten, its name may be used again", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 1, token));
      await log.append(runId, batch(1, 2, token));
      await log.snapshot(runId, { token, at: 1, bytes: bytesOf("s") });
      const follower = all(log.follow(runId, 2));
      await log.delete(runId);
      await failsWith("unknown_run", follower);
      await failsWith("unknown_run", log.append(runId, batch(2, 3, token)));
      assert.equal((await log.latest(runId)).state.status, "none");
      const claim = await log.claim(runId, { owner: "b" });
      const { epoch, position, snapshotAt, snapshot, tookOver } = claim;
      assert.deepEqual(
        [epoch, position, snapshotAt, snapshot, tookOver],
        [1, 0, 0, undefined, false],
      );
      await failsWith("fenced", log.append(runId, batch(0, 1, token)));
      assert.equal(await log.append(runId, batch(0, 1, claim.token)), "stored");
    });

    rule(
      "a run expires after its last append, and is known as expired",
      async ({ log, runId, pass }) => {
        const { token } = await log.claim(runId, OWNER);
        await log.append(runId, batch(0, 1, token));
        await pass(ttlMs * 0.6);
        await log.append(runId, batch(1, 2, token));
        await log.snapshot(runId, { token, at: 1, bytes: bytesOf("s") });
        await pass(ttlMs * 0.6);
        // Neither of these keeps it.
        await log.renew(runId, token);
        await log.read(runId, 1);
        assert.equal((await log.latest(runId)).state.status, "open");
        await pass(ttlMs * 0.6);
        const { state, snapshot } = await log.latest(runId);
        assert.deepEqual([state.status, snapshot], ["expired", undefined]);
        await failsWith("expired", log.claim(runId, OWNER));
        await failsWith("expired", log.append(runId, batch(2, 3, token)));
        await failsWith("expired", log.renew(runId, token));
        await failsWith("expired", log.release(runId, token));
        await failsWith("expired", log.snapshot(runId, { token, at: 2, bytes: bytesOf("s") }));
        await failsWith("expired", log.read(runId, 1));
        await failsWith("expired", all(log.follow(runId, 1)));
        await failsWith("expired", log.requestStop(runId));
        await log.delete(runId);
        assert.equal((await log.latest(runId)).state.status, "none");
        assert.equal((await log.claim(runId, OWNER)).epoch, 1);
      },
    );

    rule("what has expired is none after as long again", async ({ log, runId, pass }) => {
      const { token } = await log.claim(runId, OWNER);
      await log.append(runId, batch(0, 1, token, { end: "done" }));
      // One that has ended expires sooner.
      await pass(endedTtlMs * 0.8);
      assert.equal((await log.latest(runId)).state.status, "done");
      await pass(endedTtlMs * 0.4);
      assert.equal((await log.latest(runId)).state.status, "expired");
      await pass(endedTtlMs);
      assert.equal((await log.latest(runId)).state.status, "none");
      await failsWith("unknown_run", log.read(runId, 0));
    });

    rule("a batch has at most 1 MB", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const bytes = new Uint8Array(MB + 1).fill(97);
      await failsWith("too_large", log.append(runId, batch(0, 1, token, { bytes })));
      const most = bytes.subarray(1);
      assert.equal(await log.append(runId, batch(0, 1, token, { bytes: most })), "stored");
    });

    rule("a run has at most 64 MB", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const bytes = new Uint8Array(MB).fill(97);
      for (let at = 0; at < 64; at++) await log.append(runId, batch(at, at + 1, token, { bytes }));
      const error = await failsWith("too_large", log.append(runId, batch(64, 65, token)));
      assert.equal(error.details.position, 64);
      assert.equal((await log.latest(runId)).state.position, 64);
      await log.delete(runId);
    });

    rule("runs do not meet, whatever they are called", async ({ log, runId }) => {
      const names = ["/0", "/1", " ", "{x}", "}", "é😀", ":d", "\n"].map((end) => `${runId}${end}`);
      const tokens = await Promise.all(
        names.map(async (name) => (await log.claim(name, OWNER)).token),
      );
      for (const [index, name] of names.entries()) {
        const bytes = bytesOf(name);
        await log.append(name, { from: 0, to: index + 1, token: tokens[index], bytes });
      }
      for (const [index, name] of names.entries()) {
        const [{ to, bytes }] = await stored(log, name);
        assert.deepEqual([to, textOf(bytes)], [index + 1, name]);
        await log.delete(name);
      }
    });

    rule("misuse is a TypeError, not an error of the store", async ({ log, runId }) => {
      const { token } = await log.claim(runId, OWNER);
      const cases = [
        () => log.claim("", OWNER),
        () => log.claim(5, OWNER),
        () => log.claim(runId, {}),
        () => log.claim(runId, { owner: "a", leaseMs: 0 }),
        () => log.append(runId, batch(-1, 1, token)),
        () => log.append(runId, batch(0, 1.5, token)),
        () => log.append(runId, batch(0, 1, token, { bytes: "text" })),
        () => log.append(runId, batch(0, 1, token, { end: "over" })),
        () => log.read(runId, -1),
        () => all(log.follow(runId, "0")),
      ];
      for (const call of cases) await assert.rejects(call, { name: "TypeError" });
      assert.equal((await log.latest(runId)).state.position, 0);
    });
  });
}
