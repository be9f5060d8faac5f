//! Runs tile programs on any device that wgpu finds: the program as WGSL, a buffer for each global tensor, and the sizes and
//! scalars in a uniform buffer. What a program needs is compared with what the device has before anything is made there.

use std::error::Error;
use tilework_program::{Buffers, Launch, Program, Sizes, Space, Target};
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{BufferBindingType, BufferUsages};

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A device that runs programs.
pub struct Gpu {
    adapter: wgpu::Adapter,
}

/// Memory of a device, as the kernel sees it.
struct Binding<'a> {
    number: u32,
    of: BufferBindingType,
    memory: wgpu::Buffer,
    /// The tensor, and the bytes that it has.
    tensor: Option<(&'a str, usize)>,
}

impl Gpu {
    /// The first device of the drivers, among which `VK_DRIVER_FILES` chooses.
    pub fn new() -> Result<Gpu> {
        let instance = wgpu::Instance::default();
        let adapter = pollster::block_on(instance.request_adapter(&Default::default()));
        Ok(Gpu {
            adapter: adapter.map_err(|error| format!("no device: {error}; is there a Vulkan driver?"))?,
        })
    }

    /// What the driver calls it.
    pub fn name(&self) -> String {
        self.adapter.get_info().name
    }

    /// Runs a program, and puts what it wrote into the buffers.
    pub fn run(&self, program: &Program, sizes: &Sizes, buffers: &mut Buffers) -> Result<()> {
        let launch = program.launch(sizes, &buffers.scalars().collect::<Vec<_>>())?;
        let text = program.emit(Target::Wgsl)?;
        let (device, queue) = self.device(program, buffers)?;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let bindings = bindings(&device, program, buffers, &launch);
        let copies = dispatch(&device, &queue, program, text, &bindings, launch.blocks);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(error.into());
        }
        for ((name, bytes), copy) in copies {
            copy.map_async(wgpu::MapMode::Read, .., |_| {});
            device.poll(wgpu::PollType::wait_indefinitely())?;
            buffers.set_bytes(name, &copy.get_mapped_range(..)?[..bytes])?;
        }
        Ok(())
    }

    /// A device with the limits and features that a program needs.
    fn device(&self, program: &Program, buffers: &Buffers) -> Result<(wgpu::Device, wgpu::Queue)> {
        let (needs, has) = (program.needs()?, self.adapter.limits());
        let global = || program.tensors().iter().filter(|tensor| tensor.space.is_global());
        let bytes = |name: &str| buffers.bytes(name).map_or(0, |bytes| bytes.len() as u64);
        let largest = global().map(|tensor| bytes(&tensor.name)).max().unwrap_or(0).next_multiple_of(4);
        let threads = needs.threads as u64;
        let shared = needs.shared_bytes as u64;
        for (needed, limit, what) in [
            (threads, has.max_compute_invocations_per_workgroup.into(), "threads a block"),
            (threads, has.max_compute_workgroup_size_x.into(), "threads along an axis"),
            (shared, has.max_compute_workgroup_storage_size.into(), "bytes of shared memory a block"),
            (needs.buffers as u64, has.max_storage_buffers_per_shader_stage.into(), "buffers"),
            (largest, has.max_storage_buffer_binding_size, "bytes of one buffer"),
        ] {
            if needed > limit {
                let name = program.name();
                return Err(format!("{name} needs {needed} {what}, and {} has {limit}", self.name()).into());
            }
        }
        let usual = wgpu::Limits::default();
        let required_limits = wgpu::Limits {
            max_compute_invocations_per_workgroup: usual
                .max_compute_invocations_per_workgroup
                .max(threads as u32),
            max_compute_workgroup_size_x: usual.max_compute_workgroup_size_x.max(threads as u32),
            max_compute_workgroup_storage_size: usual.max_compute_workgroup_storage_size.max(shared as u32),
            max_storage_buffers_per_shader_stage: usual
                .max_storage_buffers_per_shader_stage
                .max(needs.buffers as u32),
            max_storage_buffer_binding_size: usual.max_storage_buffer_binding_size.max(largest),
            max_buffer_size: usual.max_buffer_size.max(largest),
            ..usual.or_worse_values_from(&has)
        };
        let required_features = if needs.f16 { wgpu::Features::SHADER_F16 } else { wgpu::Features::empty() };
        if !self.adapter.features().contains(required_features) {
            return Err(format!(
                "{} needs f16, and {} does not have shader-f16",
                program.name(),
                self.name()
            )
            .into());
        }
        let descriptor = wgpu::DeviceDescriptor { required_limits, required_features, ..Default::default() };
        Ok(pollster::block_on(self.adapter.request_device(&descriptor))?)
    }
}

/// The sizes and scalars at binding 0, and the tensors in their order from binding 1 on.
fn bindings<'a>(
    device: &wgpu::Device,
    program: &'a Program,
    buffers: &Buffers,
    launch: &Launch,
) -> Vec<Binding<'a>> {
    let memory = |bytes: &[u8], multiple: usize, usage: BufferUsages| {
        let mut contents = bytes.to_vec();
        contents.resize(bytes.len().next_multiple_of(multiple), 0);
        device.create_buffer_init(&BufferInitDescriptor { label: None, contents: &contents, usage })
    };
    let mut bindings = Vec::new();
    if !launch.arguments.is_empty() {
        let memory = memory(&launch.arguments, 16, BufferUsages::UNIFORM);
        bindings.push(Binding { number: 0, of: BufferBindingType::Uniform, memory, tensor: None });
    }
    for (tensor, number) in program.tensors().iter().filter(|tensor| tensor.space.is_global()).zip(1..) {
        let bytes = buffers.bytes(&tensor.name).unwrap_or_default();
        let memory = memory(&bytes, 4, BufferUsages::STORAGE | BufferUsages::COPY_SRC);
        let of = BufferBindingType::Storage { read_only: tensor.space == Space::Read };
        bindings.push(Binding { number, of, memory, tensor: Some((&tensor.name, bytes.len())) });
    }
    bindings
}

/// Starts the kernel, and gives copies of what it writes, with the tensor of each.
fn dispatch<'a>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    program: &Program,
    text: String,
    bindings: &[Binding<'a>],
    [x, y, z]: [u32; 3],
) -> Vec<((&'a str, usize), wgpu::Buffer)> {
    // The layout that wgpu would find has no buffer that the text does not use.
    let entry = |own: &Binding| wgpu::BindGroupLayoutEntry {
        binding: own.number,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty: own.of, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    };
    let entries: Vec<_> = bindings.iter().map(entry).collect();
    let layout = wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries };
    let layout = device.create_bind_group_layout(&layout);
    let bind_group_layouts = &[Some(&layout)];
    let pipeline_layout = wgpu::PipelineLayoutDescriptor { bind_group_layouts, ..Default::default() };
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(program.name()),
        layout: Some(&device.create_pipeline_layout(&pipeline_layout)),
        module: &device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source }),
        entry_point: Some(&program.entry()),
        compilation_options: Default::default(),
        cache: None,
    });
    let entries: Vec<_> = bindings
        .iter()
        .map(|own| wgpu::BindGroupEntry { binding: own.number, resource: own.memory.as_entire_binding() })
        .collect();
    let group = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
    let group = device.create_bind_group(&group);

    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(x, y, z);
    drop(pass);
    let mut copies = Vec::new();
    for Binding { of, memory, tensor, .. } in bindings {
        if let (BufferBindingType::Storage { read_only: false }, Some(tensor)) = (of, tensor) {
            let (size, usage) = (memory.size(), BufferUsages::COPY_DST | BufferUsages::MAP_READ);
            let copy = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
            let copy = device.create_buffer(&copy);
            encoder.copy_buffer_to_buffer(memory, 0, &copy, 0, size);
            copies.push((*tensor, copy));
        }
    }
    queue.submit([encoder.finish()]);
    copies
}
