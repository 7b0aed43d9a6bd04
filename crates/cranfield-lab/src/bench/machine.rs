//! Facts about the machine, read from the system. What cannot be read is absent, never guessed.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

/// Facts that results depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Machine {
    /// Model of the CPU.
    pub cpu: Option<String>,
    /// CPUs that this process may use.
    pub cores: usize,
    /// Whether cores run several threads.
    pub smt: Option<bool>,
    /// How the clock rate is chosen.
    pub governor: Option<String>,
    /// Whether the clock rate may rise above its base.
    pub turbo: Option<bool>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Operating system and version of its kernel.
    pub kernel: Option<String>,
    /// Distribution.
    pub distribution: Option<String>,
    /// CPUs that the control group allows.
    pub cpu_limit: Option<f64>,
    /// Bytes of memory that the control group allows.
    pub memory_limit: Option<u64>,
    /// Mean number of runnable tasks in the last minute, before the measurement.
    pub load: Option<f64>,
}

impl Machine {
    /// The facts of this machine.
    pub fn detect() -> Self {
        let cpuinfo = read("/proc/cpuinfo");
        let meminfo = read("/proc/meminfo");
        let cpu = "/sys/devices/system/cpu";
        Self {
            cpu: cpuinfo.and_then(|text| field(&text, "model name")),
            cores: cores(),
            smt: read(&format!("{cpu}/smt/active")).map(|text| text == "1"),
            governor: read(&format!("{cpu}/cpu0/cpufreq/scaling_governor")),
            turbo: turbo(cpu),
            memory: meminfo.and_then(|text| kilobytes(&field(&text, "MemTotal")?)),
            kernel: read("/proc/sys/kernel/osrelease").map(|text| format!("Linux {text}")),
            distribution: distribution(),
            cpu_limit: read(&cgroup("cpu.max")).and_then(|text| cpu_limit(&text)),
            memory_limit: read(&cgroup("memory.max")).and_then(|text| text.parse().ok()),
            load: read("/proc/loadavg").and_then(|text| first(&text)?.parse().ok()),
        }
    }

    /// The facts as names and values, for a table.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let gigabytes = |bytes: u64| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
        let on = |on: bool| if on { "on" } else { "off" }.to_owned();
        let rows = [
            ("CPU", self.cpu.clone()),
            ("cores", Some(self.cores.to_string())),
            ("SMT", self.smt.map(on)),
            ("governor", self.governor.clone()),
            ("turbo", self.turbo.map(on)),
            ("memory", self.memory.map(gigabytes)),
            ("kernel", self.kernel.clone()),
            ("distribution", self.distribution.clone()),
            ("CPU limit", self.cpu_limit.map(|limit| limit.to_string())),
            ("memory limit", self.memory_limit.map(gigabytes)),
            ("load before", self.load.map(|load| load.to_string())),
        ];
        let unknown = || "unavailable".to_owned();
        rows.into_iter()
            .map(|(name, value)| (name, value.unwrap_or_else(unknown)))
            .collect()
    }
}

/// CPUs that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn first(text: &str) -> Option<&str> {
    text.split_ascii_whitespace().next()
}

/// The value of a line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The bytes of a text such as `1024 kB`.
fn kilobytes(text: &str) -> Option<u64> {
    first(text)?.parse::<u64>().ok()?.checked_mul(1024)
}

fn turbo(cpu: &str) -> Option<bool> {
    let boost = || read(&format!("{cpu}/cpufreq/boost")).map(|text| text == "1");
    let off = read(&format!("{cpu}/intel_pstate/no_turbo"));
    off.map(|text| text == "0").or_else(boost)
}

fn distribution() -> Option<String> {
    let text = read("/etc/os-release")?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(line.trim_matches('"').to_owned())
}

/// A file of this process's control group (version 2).
fn cgroup(file: &str) -> String {
    let own = read("/proc/self/cgroup").and_then(|text| {
        let path = text.lines().find_map(|line| line.strip_prefix("0::"))?;
        Some(format!("/sys/fs/cgroup{path}/{file}"))
    });
    let own = own.filter(|path| Path::new(path).exists());
    own.unwrap_or_else(|| format!("/sys/fs/cgroup/{file}"))
}

/// The quota of `cpu.max` in CPUs; `None` without a limit.
fn cpu_limit(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

/// CPU time of all CPUs of the machine, in ticks: all of it, and the part that the hypervisor gave to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ticks {
    all: u64,
    stolen: u64,
}

impl Ticks {
    /// The ticks so far.
    pub fn now() -> Option<Self> {
        let text = read("/proc/stat")?;
        Self::of_line(text.lines().next()?)
    }

    /// Reads `cpu user nice system idle iowait irq softirq steal ...`.
    fn of_line(line: &str) -> Option<Self> {
        let numbers = line.strip_prefix("cpu ")?.split_ascii_whitespace();
        let ticks: Vec<u64> = numbers
            .take(8)
            .map_while(|text| text.parse().ok())
            .collect();
        let all = ticks.iter().sum();
        let stolen = *ticks.get(7)?;
        Some(Self { all, stolen })
    }

    /// Share of the time since an earlier point that was stolen.
    pub fn stolen_since(self, before: Self) -> f64 {
        let all = self.all.saturating_sub(before.all);
        let stolen = self.stolen.saturating_sub(before.stolen);
        if all == 0 {
            0.0
        } else {
            stolen as f64 / all as f64
        }
    }
}

/// CPU time of another process, in steps of 10 ms; `None` where the system does not tell.
pub(crate) fn cpu_time_of(process: u32) -> Option<Duration> {
    ticks_of(&read(&format!("/proc/{process}/stat"))?)
}

/// The user and system time in a line of `/proc/PID/stat`, whose second field may contain spaces and parentheses.
fn ticks_of(line: &str) -> Option<Duration> {
    let (_, rest) = line.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    // USER_HZ is 100 on every Linux.
    Some(Duration::from_millis((user + system) * 10))
}

/// CPU time of this process, with children that have ended or without.
pub(crate) fn own_cpu_time(with_children: bool) -> Option<Duration> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let of = |who| {
            let usage = getrusage(who).ok()?;
            let time = |time: nix::sys::time::TimeVal| {
                Duration::new(
                    time.tv_sec().max(0) as u64,
                    time.tv_usec().max(0) as u32 * 1000,
                )
            };
            Some(time(usage.user_time()) + time(usage.system_time()))
        };
        let own: Duration = of(UsageWho::RUSAGE_SELF)?;
        let children = if with_children {
            of(UsageWho::RUSAGE_CHILDREN)?
        } else {
            Duration::ZERO
        };
        Some(own + children)
    }
    #[cfg(not(unix))]
    {
        let _ = with_children;
        None
    }
}

/// Starts a new measurement of the peak memory of this process, where the system allows it.
pub(crate) fn reset_peak_memory() -> bool {
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Largest resident memory of this process, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    kilobytes(&field(&read("/proc/self/status")?, "VmHWM")?)
}

/// Largest resident memory of a child that has ended, in bytes.
pub(crate) fn peak_memory_of_children() -> Option<u64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        u64::try_from(usage.max_rss()).ok()?.checked_mul(1024)
    }
    #[cfg(not(unix))]
    None
}

/// Bytes that this process and its ended children have caused to be written to disks.
pub(crate) fn bytes_written() -> Option<u64> {
    field(&read("/proc/self/io")?, "write_bytes")?.parse().ok()
}

/// Bytes that this process has caused to be read from disks.
pub(crate) fn bytes_read() -> Option<u64> {
    field(&read("/proc/self/io")?, "read_bytes")?.parse().ok()
}

/// Energy of the first CPU package so far, in joules, if the counter is readable.
pub(crate) fn energy() -> Option<f64> {
    let text = read("/sys/class/powercap/intel-rapl:0/energy_uj")?;
    Some(text.parse::<f64>().ok()? / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_system_are_read() {
        let before = Ticks::of_line("cpu  100 0 50 800 10 0 0 40 0 0");
        let after = Ticks::of_line("cpu  150 0 70 880 10 0 0 90 0 0");
        let stolen = after.expect("valid").stolen_since(before.expect("valid"));
        assert_eq!(stolen, 0.25);
        let line = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 12 3 0 0 20 0 1 0 5 6 7";
        assert_eq!(ticks_of(line), Some(Duration::from_millis(150)));
        assert_eq!(cpu_limit("150000 100000"), Some(1.5));
        assert_eq!(cpu_limit("max 100000"), None);
        let meminfo = "MemTotal:       24 kB\nMemFree: 1 kB\n";
        assert_eq!(
            kilobytes(&field(meminfo, "MemTotal").expect("a line")),
            Some(24 << 10)
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_cores_and_memory() {
        let machine = Machine::detect();
        assert!(machine.cores >= 1 && machine.memory.is_some_and(|bytes| bytes > 1 << 20));
        let before = own_cpu_time(false).expect("CPU time");
        let mut x = 1_u64;
        while own_cpu_time(false).expect("CPU time") < before + Duration::from_millis(5) {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
        assert!(cpu_time_of(std::process::id()).is_some());
        assert!(peak_memory().is_some_and(|bytes| bytes > 1 << 20));
    }
}
