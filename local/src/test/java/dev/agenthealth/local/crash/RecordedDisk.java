package dev.agenthealth.local.crash;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A folder that follows the record of its operations ({@code disk.c}), and the states in which a kill or a loss of power would leave it. What was
 * not synced is on the disk or not, each page by itself, in any version since the last sync, torn between sectors; names appear and vanish in
 * order, each folder by itself. A page of which the sync failed is not written any more until it changes again. Not thread-safe.
 */
final class RecordedDisk {

    private static final int PAGE = 4_096;
    private static final int SECTOR = 512;

    private final Random random;
    private final Map<Integer, Inode> inodes = new HashMap<>();
    private final Map<Integer, String> folders = new HashMap<>();
    private final List<NameChange> unsyncedNames = new ArrayList<>();
    private final Names seen = new Names();
    private final Names durable = new Names();

    /**
     * An operation.
     *
     * @param at its place in the record, in bytes: what was acknowledged when the record was shorter came before
     */
    record Operation(char kind, boolean failed, int file, long offset, byte[] bytes, long at) {

        String name() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private static final class Names {

        private final Map<String, Integer> files = new TreeMap<>();
        private final Set<String> folders = new HashSet<>(Set.of(""));

        void replace(Names others) {
            files.clear();
            files.putAll(others.files);
            folders.clear();
            folders.addAll(others.folders);
        }

        void apply(Operation operation) {
            switch (operation.kind()) {
                case 'C' -> files.put(operation.name(), operation.file());
                case 'M' -> folders.add(operation.name());
                case 'U' -> files.remove(operation.name());
                case 'R' -> {
                    Integer moved = files.remove(from(operation));
                    if (moved != null) {
                        files.put(to(operation), moved);
                    }
                }
                default -> throw new IllegalStateException("a record of the kind " + operation.kind());
            }
        }
    }

    private record NameChange(String folder, Operation operation) {}

    /** A file: what the process sees, what the disk has, and what it may have. */
    private static final class Inode {

        private byte[] cache = new byte[PAGE];
        private int size;
        private byte[] disk = new byte[PAGE];
        private int diskSize;

        /** The versions of each page since it was synced, the oldest first. */
        private final Map<Integer, List<byte[]>> dirty = new TreeMap<>();

        private final List<Integer> sizes = new ArrayList<>();

        void write(int offset, byte[] bytes) {
            int end = offset + bytes.length;
            cache = atLeast(cache, end);
            System.arraycopy(bytes, 0, cache, offset, bytes.length);
            size = Math.max(size, end);
            sizes.add(size);
            for (int page = offset / PAGE; page * PAGE < end; page++) {
                dirty.computeIfAbsent(page, p -> new ArrayList<>()).add(page(cache, page));
            }
        }

        void truncate(int length) {
            cache = atLeast(cache, length);
            if (length < size) {
                Arrays.fill(cache, length, size, (byte) 0);
            }
            size = length;
            sizes.add(length);
            dirty.keySet().removeIf(page -> page * PAGE >= length);
        }

        /** @param reaches whether the disk gets a page; the system does not write it again before it changes */
        void sync(BooleanSupplier reaches) {
            disk = atLeast(disk, size);
            for (int page : dirty.keySet()) {
                if (reaches.getAsBoolean()) {
                    System.arraycopy(cache, page * PAGE, disk, page * PAGE, PAGE);
                }
            }
            if (size < diskSize) {
                Arrays.fill(disk, size, diskSize, (byte) 0);
            }
            diskSize = size;
            sizes.clear();
            dirty.clear();
        }

        byte[] afterPowerCut(Random random) {
            int pick = random.nextInt(sizes.size() + 1);
            int length = pick == 0 ? diskSize : sizes.get(pick - 1);
            byte[] result = Arrays.copyOf(disk, Math.max(disk.length, cache.length));
            // All or nothing for some states: these are the simplest ones.
            int bias = random.nextInt(4);
            dirty.forEach((page, versions) -> {
                int newest = versions.size() - 1;
                int version = bias == 0 ? -1 : bias == 1 ? newest : random.nextInt(versions.size() + 1) - 1;
                if (version >= 0) {
                    System.arraycopy(versions.get(version), 0, result, page * PAGE, PAGE);
                }
                if (version < newest && bias > 1 && random.nextInt(4) == 0) {
                    int sectors = 1 + random.nextInt(PAGE / SECTOR - 1);
                    System.arraycopy(versions.get(version + 1), 0, result, page * PAGE, sectors * SECTOR);
                }
            });
            return Arrays.copyOf(result, length);
        }

        private static byte[] page(byte[] bytes, int page) {
            return Arrays.copyOfRange(bytes, page * PAGE, (page + 1) * PAGE);
        }

        /** Whole pages. */
        private static byte[] atLeast(byte[] bytes, int length) {
            return length <= bytes.length
                    ? bytes
                    : Arrays.copyOf(bytes, Math.max(2 * bytes.length, (length + PAGE - 1) / PAGE * PAGE));
        }
    }

    /** @param random decides what failed syncs leave */
    RecordedDisk(Random random) {
        this.random = random;
    }

    /** Gets operations in their order. */
    interface Visitor {

        void visit(Operation operation) throws IOException;
    }

    /**
     * Reads a record one operation after the other, as it may be larger than the memory.
     *
     * @return the number of operations
     */
    static int read(Path record, Visitor visitor) throws IOException {
        int operations = 0;
        long length = Files.size(record);
        long at = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(record)))) {
            while (at + 18 <= length) {
                char kind = (char) in.readByte();
                boolean failed = in.readByte() != 0;
                int file = Integer.reverseBytes(in.readInt());
                long offset = Long.reverseBytes(in.readLong());
                byte[] bytes = in.readNBytes(Integer.reverseBytes(in.readInt()));
                visitor.visit(new Operation(kind, failed, file, offset, bytes, at));
                at += 18 + bytes.length;
                operations++;
            }
        }
        return operations;
    }

    private static String from(Operation rename) {
        return rename.name().substring(0, (int) rename.offset());
    }

    private static String to(Operation rename) {
        return rename.name().substring((int) rename.offset());
    }

    private static String folderOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    void apply(Operation operation) {
        Inode inode = inodes.computeIfAbsent(operation.file(), number -> new Inode());
        switch (operation.kind()) {
            case 'W' -> inode.write((int) operation.offset(), operation.bytes());
            case 'T' -> inode.truncate((int) operation.offset());
            case 'D' -> folders.put(operation.file(), operation.name());
            case 'S' -> sync(operation, inode);
            default -> {
                seen.apply(operation);
                unsyncedNames.add(new NameChange(
                        folderOf(operation.kind() == 'R' ? to(operation) : operation.name()), operation));
            }
        }
    }

    private void sync(Operation operation, Inode inode) {
        String folder = folders.get(operation.file());
        if (folder == null) {
            inode.sync(operation.failed() ? random::nextBoolean : () -> true);
        } else if (!operation.failed()) {
            for (NameChange change : List.copyOf(unsyncedNames)) {
                if (change.folder().equals(folder)) {
                    durable.apply(change.operation());
                    unsyncedNames.remove(change);
                }
            }
        }
    }

    /** The files as the next process finds them after a kill. */
    Map<String, byte[]> afterKill() {
        Map<String, byte[]> files = new TreeMap<>();
        seen.files.forEach((name, number) -> {
            Inode inode = inodes.get(number);
            files.put(name, inode == null ? new byte[0] : Arrays.copyOf(inode.cache, inode.size));
        });
        return files;
    }

    /** The files in one of the states that a loss of power may leave. */
    Map<String, byte[]> afterPowerCut(Random choice) {
        Names names = new Names();
        names.replace(durable);
        Map<String, Integer> kept = new HashMap<>();
        for (NameChange change : unsyncedNames) {
            kept.computeIfAbsent(change.folder(), folder -> choice.nextInt(unsyncedNames.size() + 1));
            if (kept.merge(change.folder(), -1, Integer::sum) >= 0) {
                names.apply(change.operation());
            }
        }
        Map<String, byte[]> files = new TreeMap<>();
        names.files.forEach((name, number) -> {
            Inode inode = inodes.get(number);
            if (names.folders.contains(folderOf(name))) {
                files.put(name, inode == null ? new byte[0] : inode.afterPowerCut(choice));
            }
        });
        return files;
    }

    /** Writes files into an empty folder. What processes share in memory is not on the disk. */
    static void write(Map<String, byte[]> files, Path folder) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (!file.getKey().endsWith("-shm")) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.write(path, file.getValue());
            }
        }
    }
}
